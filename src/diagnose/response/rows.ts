import { grouped } from "../../base/grouped.ts";
import { cell } from "../../base/rows.ts";
import type { IdleKind, IdlePlace, IdleRow, PartRow } from "../document.ts";
import type { Evidence } from "../findings.ts";
import type { Plan } from "../schedule/planned.ts";
import type { Idle } from "./idle.ts";
import { PARTS, type Part } from "./part.ts";
import type { Parts } from "./parts.ts";
import { lengthOf } from "./spans.ts";
import type { Spell } from "./spell.ts";

type Range = Required<Pick<PartRow, "lowMs" | "highMs">>;

/** The parts of the usual time as rows of the document, the largest first. */
export function partRows(
  plan: Plan,
  { ms, use }: Parts,
  spells: readonly Spell[],
  {
    top,
    bounds,
  }: { readonly top: number; readonly bounds: Readonly<Record<Part, Range>> | undefined },
): readonly PartRow[] {
  const ofPhases = (byPhase: Float64Array): readonly Evidence[] =>
    plan.job.phases
      .map(({ name }, n) => ({ what: name, ms: cell(byPhase[n]) }))
      .filter((one) => one.ms > 0)
      .sort(byLength);
  const ofSpells = (part: Spell["part"]): readonly Evidence[] =>
    placesOf(spells.filter((spell) => spell.part === part));
  const evidence = {
    work: ofPhases(use.workMs),
    "few-tasks": ofPhases(use.idleBesideMs),
    launching: ofSpells("launching"),
    "no-slot": [...ofSpells("no-slot"), ...ofPhases(use.gatheringMs)].sort(byLength),
    driver: ofSpells("driver"),
  };
  return PARTS.map((part) => ({
    part,
    ms: ms[part],
    ...(bounds !== undefined && {
      lowMs: Math.min(bounds[part].lowMs, ms[part]),
      highMs: Math.max(bounds[part].highMs, ms[part]),
    }),
    evidence: evidence[part].slice(0, top).map(({ what, ms }) => ({ what, ms })),
  })).sort(byLength);
}

/** The idle time of the record, as a plain count has it. */
export function idleRow(idle: Idle, spells: readonly Spell[], top: number): IdleRow {
  return {
    ms: lengthOf(idle.all),
    driverMs: lengthOf(idle.driver),
    noSlotMs: lengthOf(idle.noSlot),
    launchingMs: lengthOf(idle.launching),
    spells: spells.length,
    places: placesOf(spells).slice(0, top),
    kinds: kindsOf(spells),
    longest: spells.toSorted(byLength).slice(0, top),
  };
}

function placesOf(spells: readonly Spell[]): readonly IdlePlace[] {
  const places = grouped(spells, ({ part, where }) => `${part} ${where}`);
  return [...places.values()]
    .map((own): IdlePlace => {
      const { part, at, where } = cell(own[0]);
      const ms = own.reduce((sum, one) => sum + one.ms, 0);
      return { part, at, what: where, ms };
    })
    .sort(byLength);
}

function kindsOf(spells: readonly Spell[]): readonly IdleKind[] {
  const kinds = grouped(spells, ({ part, at }) => `${part} ${at}`);
  return [...kinds.values()]
    .map((own): IdleKind => {
      const { part, at } = cell(own[0]);
      return { part, at, ms: own.reduce((sum, one) => sum + one.ms, 0), count: own.length };
    })
    .sort(byLength);
}

const byLength = (a: { readonly ms: number }, b: { readonly ms: number }): number =>
  Math.sign(b.ms - a.ms);
