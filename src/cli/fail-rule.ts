import { InvalidArgumentError } from "commander";
import { CAUSES, type Cause } from "../diagnose/cause.ts";
import type { Why } from "../diagnose/document.ts";

/** A condition on a diagnosis, such as `lost>10%`. */
export interface FailRule {
  readonly text: string;
  readonly of: Cause | "lost" | "copies.wasted";
  readonly limit: number;
  readonly unit: "share" | "ms";
  /** Whether a cause counts by its value; by default it counts by its lower bound. */
  readonly byValue: boolean;
}

const NAMES = ["lost", "copies.wasted", ...CAUSES] as const;

/** A value parser for commander: `lost>10%`, `~node>5s`. */
export function parseFailRule(text: string): FailRule {
  const [, tilde, name, amount = "", unit] =
    /^(~?)([\w.-]+)\s*>\s*(\d+(?:\.\d+)?)\s*(%|s)$/.exec(text) ?? [];
  const of = NAMES.find((known) => known === name?.toLowerCase());
  if (of === undefined) {
    throw new InvalidArgumentError(
      `Expected NAME>N% or NAME>Ns, such as lost>10%; names: ${NAMES.join(", ")}.`,
    );
  }
  const limit = unit === "%" ? Number(amount) / 100 : Number(amount) * 1_000;
  return { text, of, limit, unit: unit === "%" ? "share" : "ms", byValue: tilde === "~" };
}

export function holds({ of, limit, unit, byValue }: FailRule, why: Why): boolean {
  const ms = measured(of, why, byValue);
  return (unit === "ms" ? ms : ms / totalOf(of, why)) > limit;
}

function measured(of: FailRule["of"], why: Why, byValue: boolean): number {
  if (of === "lost") return why.lostMs;
  if (of === "copies.wasted") return why.copies?.wastedMs ?? 0;
  const row = why.causes.find(({ cause }) => cause === of);
  if (row === undefined) return 0;
  return byValue ? row.ms : (row.lowMs ?? row.ms);
}

/** Wasted slot time is a share of all slot time, seconds of response a share of the response. */
const totalOf = (of: FailRule["of"], { responseMs, slotMs }: Why): number =>
  of === "copies.wasted" ? slotMs : responseMs;
