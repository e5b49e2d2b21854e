import { withPrintableText } from "../base/printable.ts";
import type { Cause } from "../diagnose/cause.ts";
import type { Why } from "../diagnose/document.ts";
import { inked } from "./ink.ts";
import { hanging, wrap } from "./table.ts";
import {
  attemptsText,
  causesText,
  copiesText,
  explainText,
  hintsText,
  measuresText,
  nodesText,
  phasesText,
  type Sheet,
} from "./why-tables.ts";

export interface WhyTextOptions extends Sheet {
  readonly explain: Cause | undefined;
  /** On a terminal the answer stands last, where the eye is; elsewhere first. */
  readonly answer: "first" | "last";
  /** The command to type next. */
  readonly next: string;
}

/** The diagnosis for a person: the answer, where it comes from, and what to do next. */
export function whyText(found: Why, { explain, answer, next, ...sheet }: WhyTextOptions): string {
  // Names in a log must not command the terminal.
  const why = withPrintableText(found);
  const details = [
    causesText(why, sheet),
    hintsText(why, sheet),
    phasesText(why, sheet),
    measuresText(why, sheet),
    explain === undefined ? attemptsText(why, sheet) : explainText(why, explain, sheet),
    nodesText(why, sheet),
    copiesText(why, sheet),
    footText(why, sheet),
  ];
  const verdict = verdictText(why, sheet);
  const blocks = [
    ...(answer === "first" ? [verdict, ...details] : [...details, verdict]),
    `${inked(sheet.ink, "dim", "next:")} ${next}`,
  ];
  return blocks.filter((block) => block !== "").join("\n\n");
}

/** The headline is bold. */
function verdictText({ verdict }: Why, { width, ink }: Sheet): string {
  const [headline = "", ...others] = verdict.split("\n");
  const bold = wrap(headline, width).map((part) => inked(ink, "bold", part));
  return [...bold, ...others.flatMap((sentence) => wrap(sentence, width))].join("\n");
}

function footText({ lacks, notes, limits }: Why, { width, ink }: Sheet): string {
  const lacking = lacks.length === 0 ? [] : hanging("not in this log: ", lacks.join(", "), width);
  const noted = notes.flatMap(({ text }) => hanging("note: ", text, width));
  const { peersMin, slowNodeMin, tMin } = limits;
  const set = `peers >= ${peersMin}, slow node >= ${slowNodeMin} times, t > ${tMin}`;
  const lines = [...lacking, ...noted, ...hanging("limits (--set): ", set, width)];
  return lines.map((text) => inked(ink, "dim", text)).join("\n");
}
