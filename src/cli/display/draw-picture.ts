import { printable } from "../../base/printable.ts";
import type { NodeProgress, PhaseProgress } from "../../hosts/engine/index.ts";
import { seconds } from "../../report/quantity.ts";
import { type Ink, inked, type Style } from "../ink.ts";
import { pad } from "../table.ts";
import type { DisplayState, TimedSentence } from "./picture.ts";
import { brief, type Sentence } from "./sentence.ts";

const PHASE_BAR = 32;
const ATTEMPT_BAR = 10;
const NAME_WIDTH = 8;
const MARK_WIDTH = 14;

const STYLE_OF: Record<Sentence["tone"], Style | undefined> = {
  plain: undefined,
  good: "green",
  warning: "yellow",
  bad: "red",
};

/** The lines of the live display: phases, nodes with their attempts, and the latest events. */
export function drawPicture(picture: DisplayState, title: string, ink: Ink): readonly string[] {
  return [
    `${inked(ink, "bold", title)}${picture.round}  ${seconds(picture.at)}`,
    ...picture.phases.map((phase) => phaseLine(phase, nameWidth(picture.phases))),
    "",
    ...picture.nodes.map((node) => nodeLine(node, picture.killed.has(node.name), ink)),
    "",
    ...picture.recent.map((timed) => sentenceLine(timed, ink)),
  ];
}

/** What user code printed is among the text. */
function sentenceLine(timed: TimedSentence, ink: Ink): string {
  const style = STYLE_OF[timed.tone];
  const plain = printable(timed.text);
  const text = style === undefined ? plain : inked(ink, style, plain);
  return `${inked(ink, "dim", pad(seconds(timed.at), NAME_WIDTH, "right"))}  ${text}`;
}

/** A flow's phases have names of their own, of any length. */
const nameWidth = (phases: readonly PhaseProgress[]): number =>
  phases.reduce((most, { name }) => Math.max(most, name.length + 1), NAME_WIDTH);

function phaseLine(phase: PhaseProgress, width: number): string {
  const counts = [
    `${phase.done} of ${phase.tasks} done`,
    `${phase.running} running`,
    ...(phase.speculated > 0 ? [`${phase.speculated} with a copy`] : []),
  ];
  const name = pad(phase.name, width, "left");
  return `  ${name}${bar(phase.score, PHASE_BAR)} ${counts.join(", ")}`;
}

function nodeLine(node: NodeProgress, isKilled: boolean, ink: Ink): string {
  const attempts = node.attempts.map(({ attempt, as, score }) => {
    const name = as === "original" ? brief(attempt) : `${brief(attempt)} ${as}`;
    return `${inked(ink, "dim", bar(score, ATTEMPT_BAR))} ${name}`;
  });
  const runs = attempts.length > 0 ? attempts.join("  ") : inked(ink, "dim", "idle");
  const name = pad(node.name, NAME_WIDTH, "left");
  return `  ${name}${pad(nodeMark(node, isKilled, ink), MARK_WIDTH, "left")}${runs}`;
}

function nodeMark(node: NodeProgress, isKilled: boolean, ink: Ink): string {
  if (isKilled) return inked(ink, "red", "killed");
  if (node.state !== "live") return inked(ink, "red", node.state);
  return node.slowedBy > 1 ? inked(ink, "yellow", `slowed ${node.slowedBy}x`) : "";
}

function bar(score: number, width: number): string {
  const full = Math.round(Math.min(1, Math.max(0, score)) * width);
  return "█".repeat(full) + "░".repeat(width - full);
}
