import { defined } from "../../../base/assert.ts";

/**
 * The level that an administrator gave the node (§IV-A: "preconfigured"), from a text such as
 * "slow-*:1, fast-*:2": patterns of node names, in which `*` matches any text, each with its level.
 * The first pattern that matches counts; undefined if none does.
 */
export function configuredLevel(text: string, node: string): number | undefined {
  const rules = partsOf(text).map((part) => defined(parseRule(part), "a rule"));
  return rules.find(({ matches }) => matches.test(node))?.level;
}

/** Says what is wrong with a text of levels. */
export function levelsFault(text: string): string | undefined {
  const wrong = partsOf(text).find((part) => parseRule(part) === undefined);
  if (wrong === undefined) return undefined;
  return `expected NAME:LEVEL, NAME:LEVEL, ... with levels from 1 (slowest) on, found ${wrong}`;
}

const partsOf = (text: string): readonly string[] => (text === "" ? [] : text.split(","));

interface LevelRule {
  readonly matches: RegExp;
  readonly level: number;
}

function parseRule(text: string): LevelRule | undefined {
  const [, pattern = "", digits = ""] = /^\s*([^:\s]+)\s*:\s*(\d+)\s*$/.exec(text) ?? [];
  const level = Number(digits);
  if (pattern === "" || level < 1) return undefined;
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*");
  return { matches: new RegExp(`^${escaped}$`), level };
}
