import type { Ask, Slot } from "../model/action.ts";
import type { JobId } from "../model/ids.ts";
import { isRecord, mistake, type OwnPlace } from "./check-own-policy.ts";
import type { Context, Policy } from "./policy.ts";
import type { FieldsOf } from "./seat-fields.ts";

/**
 * A user's policy whose answers are checked: a wrong answer is reported as the user's mistake, with
 * file, policy and hook. Without the check, the core would report a bug of its own.
 */
export function guarded<T extends Policy<object, unknown>>(
  policy: T,
  at: OwnPlace,
  fields: FieldsOf<T>,
): T {
  const copy: T = Object.assign(Object.create(Object.getPrototypeOf(policy)), policy);
  for (const key of Object.keys(fields)) {
    const hook: unknown = Reflect.get(policy, key);
    const check = CHECKS.get(key);
    if (typeof hook !== "function" || check === undefined) continue;
    const place = { ...at, path: `${at.path} ${policy.name}: ${key}` };
    Reflect.set(copy, key, (...question: readonly unknown[]): unknown => {
      const answer: unknown = Reflect.apply(hook, policy, question);
      check(answer, question, place);
      return answer;
    });
  }
  return copy;
}

type Check = (answer: unknown, question: readonly unknown[], at: OwnPlace) => void;

const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["onIdleSlot", checkSlotAnswer],
  ["onContendedSlot", checkSlotAnswer],
  ["onPhaseReady", checkAsks],
  ["onInputWritten", checkAsks],
  ["onOutput", checkAsks],
  ["onOutputLost", checkAsks],
  ["scan", checkScan],
  ["key", checkNumber],
  ["timeLeft", checkNumber],
  ["expiry", checkNumber],
]);

function checkNumber(answer: unknown, _: readonly unknown[], at: OwnPlace): void {
  if (typeof answer === "number" && !Number.isNaN(answer)) return;
  throw mistake(at, `expected a number, found ${String(answer)}`);
}

/** Only an answer about a slot has a slot to launch on. */
function checkAsks(answer: unknown, _: readonly unknown[], at: OwnPlace): void {
  for (const ask of asksIn(answer, at)) {
    if (ask.kind !== "launch") continue;
    const cure = "only onIdleSlot and onContendedSlot have a slot; return a request";
    throw mistake(at, `expected no launch: ${cure}`);
  }
}

/** A wake at the present time would call `scan` again at the same time, without end. */
function checkScan(answer: unknown, question: readonly unknown[], at: OwnPlace): void {
  checkAsks(answer, question, at);
  if (!isAboutNow(question)) return;
  const { now } = question[0].view;
  for (const ask of asksIn(answer, at)) {
    if (ask.kind !== "wake" || ask.at > now) continue;
    const cure = "test view.now >= at with the same at";
    throw mistake(at, `expected a wake after ${now} ms, the present, found ${ask.at} ms: ${cure}`);
  }
}

const isAboutNow = (
  question: readonly unknown[],
): question is readonly [Context<object, unknown>] => question.length === 1;

/** The slot is the only one on offer. */
function checkSlotAnswer(answer: unknown, question: readonly unknown[], at: OwnPlace): void {
  const launches = asksIn(answer, at).filter((ask) => ask.kind === "launch");
  if (launches.length > 1) {
    throw mistake(at, `expected one launch for the slot, found ${launches.length}`);
  }
  const [ask] = launches;
  if (ask === undefined || !isAboutSlot(question)) return;
  const [{ view }, , slot] = question;
  const offered = view.node(slot.node).name;
  if (ask.node !== slot.node) {
    const expected = `expected a launch on ${offered}, the node of the slot: node: slot.node`;
    throw mistake(at, `${expected}, found node ${ask.node}`);
  }
  const { phase, index } = view.task(ask.task);
  const { name, slots } = view.phase(phase);
  if (!slots.includes(slot.kind)) {
    const cure = "look for tasks in view.phases(job, slot.kind)";
    throw mistake(at, `expected a task that may take the slot, found ${name}/${index}: ${cure}`);
  }
  if (view.isDone(ask.task) && view.attemptsOf(ask.task).every(({ endedAt }) => endedAt)) {
    const cure = "look for tasks in view.runningTasks(phase)";
    throw mistake(at, `expected a running task, found ${name}/${index}, which is done: ${cure}`);
  }
}

/** How the core asks about a slot. */
const isAboutSlot = (
  question: readonly unknown[],
): question is readonly [Context<object, unknown>, JobId, Slot] => question.length === 3;

const KINDS: ReadonlySet<unknown> = new Set<Ask["kind"]>([
  ...(["launch", "request", "withdraw", "kill", "recompute"] as const),
  ...(["replicate", "prefer", "wake", "pass"] as const),
]);

function asksIn(answer: unknown, at: OwnPlace): readonly Ask[] {
  if (!Array.isArray(answer)) {
    const found = answer === undefined ? "nothing" : typeof answer;
    throw mistake(at, `expected a list of asks, [] for nothing, found ${found}`);
  }
  return answer.map((ask: unknown) => {
    if (isAsk(ask)) return ask;
    const expected =
      'expected asks such as { kind: "launch", task, as, node, why: { rule, numbers } }';
    throw mistake(at, `${expected}, found ${JSON.stringify(ask)}`);
  });
}

function isAsk(ask: unknown): ask is Ask {
  if (!isRecord(ask) || !KINDS.has(ask.kind)) return false;
  if (ask.kind === "wake") return typeof ask.at === "number";
  return isRecord(ask.why) && typeof ask.why.rule === "string" && isRecord(ask.why.numbers);
}
