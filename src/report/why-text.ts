import type { Why } from "../model/why.ts";
import { bytes, number, seconds, words } from "./quantity.ts";
import { CORE_SENTENCES, HOST_SENTENCES } from "./why/core-sentences.ts";
import { Figures, type Sentence } from "./why/figures.ts";
import { POLICY_SENTENCES } from "./why/policy-sentences.ts";

/** One sentence for each rule of the core, of the policies and of the hosts. */
export const SENTENCES: ReadonlyMap<string, Sentence> = new Map(
  [CORE_SENTENCES, POLICY_SENTENCES, HOST_SENTENCES].flatMap((table) => Object.entries(table)),
);

/** For instance `copied because it would end last: 2.1 s left at 0.31/s; ...`. */
export function whyText({ rule, numbers }: Why): string {
  const sentence = SENTENCES.get(rule);
  const clauses = sentence === undefined ? ownClauses(numbers) : clausesOf(sentence, numbers);
  const clausesText = clauses.filter((text) => text !== undefined && text !== "").join("; ");
  return clausesText === "" ? reasonText(rule) : `${reasonText(rule)}: ${clausesText}`;
}

/** The reason without the numbers; a rule of the user's own policy in words. */
export const reasonText = (rule: string): string =>
  SENTENCES.get(rule)?.reason ?? rule.replaceAll("-", " ");

const clausesOf = ({ clauses }: Sentence, numbers: Why["numbers"]) =>
  clauses?.(new Figures(numbers)) ?? [];

/** The numbers of a user's own policy. */
const ownClauses = (numbers: Why["numbers"]): readonly string[] => {
  const texts = Object.entries(numbers)
    .filter(([, value]) => typeof value === "string" || Number.isFinite(value))
    .map(([name, value]) => numberText(name, value));
  return [texts.join(", ")];
};

/** A number with its name in words and the unit at the end of that name. */
function numberText(name: string, value: number | string): string {
  if (typeof value === "string") return `${words(name)} ${value}`;
  if (name.endsWith("PerMs")) return `${words(name.slice(0, -5))} ${number(value * 1000)}/s`;
  if (name.endsWith("Ms")) return `${words(name.slice(0, -2))} ${seconds(value)}`;
  if (name.endsWith("Bytes")) return `${words(name.slice(0, -5))} ${bytes(value)}`;
  return `${words(name)} ${number(value)}`;
}
