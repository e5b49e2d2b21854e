import type { Names } from "../../src/core/journal/index.ts";
import type { Action } from "../../src/model/action.ts";
import type { Where } from "../../src/model/attempt.ts";
import type { Why } from "../../src/model/why.ts";
import { seconds } from "./format.ts";

/** An action as a readable line; its names must still be known. */
export function render(action: Action, names: Names, racks: readonly string[]): string {
  switch (action.kind) {
    case "launch": {
      const request = action.request === undefined ? "" : ` for r${action.request}`;
      const attempt = names.attempt(action.attempt);
      const node = names.node(action.node);
      return `launch ${attempt} ${action.as} on ${node}${request}${tell(action.why)}`;
    }
    case "request": {
      const where = place(action.where, names);
      const task = names.task(action.task);
      return `request r${action.request} ${action.as} of ${task} ${where}${tell(action.why)}`;
    }
    case "withdraw":
      return `withdraw r${action.request}${tell(action.why)}`;
    case "kill":
      return `${killText(action, names)}${tell(action.why)}`;
    case "recompute":
      return `recompute ${names.task(action.task)}${tell(action.why)}`;
    case "replicate":
      return `replicate ${names.task(action.task)} to ${racks[action.to]}${tell(action.why)}`;
    case "prefer": {
      const nodes = action.nodes.map((node) => names.node(node));
      const where = [...nodes, ...action.racks.map((rack) => racks[rack])].join(" ");
      return `prefer ${where || "anything"} for ${names.task(action.task)}${tell(action.why)}`;
    }
    case "declare-lost":
      return `declare-lost ${names.node(action.node)}${tell(action.why)}`;
    case "end-job":
      return `end-job ${names.job(action.job)} ${action.outcome}${tell(action.why)}`;
    case "wake":
      return `wake at ${seconds(action.at)}`;
    case "pass": {
      const task = action.task === undefined ? "" : ` ${names.task(action.task)}`;
      return `pass${task}${tell(action.why)}`;
    }
  }
}

function killText(
  { attempt, for: task, then }: Extract<Action, { kind: "kill" }>,
  names: Names,
): string {
  const whom = task === undefined ? "" : ` for ${names.task(task)}`;
  return `kill ${names.attempt(attempt)} then ${then}${whom}`;
}

function place(where: Where, names: Names): string {
  if (where.on === "any") return "anywhere";
  const nodes = where.nodes.map((node) => names.node(node)).join(",");
  return where.on === "only" ? `only on ${nodes}` : `not on ${nodes}`;
}

function tell(why: Why): string {
  const numbers = Object.entries(why.numbers).map(([name, value]) => `${name}=${short(value)}`);
  return [`  why ${why.rule}`, ...numbers].join(" ");
}

/** Four significant digits are enough for a story. */
const short = (value: number | string): string => {
  if (typeof value === "string" || Number.isInteger(value)) return String(value);
  return String(Number(value.toPrecision(4)));
};
