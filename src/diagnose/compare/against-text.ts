import { bytes } from "../../base/amount.ts";
import { plain, signed, span } from "../figures.ts";
import type { Against, Among, Size } from "./against.ts";
import { nameOf, reasonsText, saidOf } from "./compare-text.ts";

/** A smaller change is not named: of the response. */
const LITTLE = 0.01;
const NAMED = 3;

/** What is different in this run, in sentences; the first is the answer. */
export function againstText(found: Against): readonly string[] {
  const { runs, slowNodes, sizes } = found;
  const beyond = beyondIn(found).slice(0, NAMED);
  const rows = beyond.map((row) => `${changeText(row)} (${span(row.own)}, ${rangeOf(row)} before)`);
  const outside = `Beyond all ${runs} runs before`;
  const changed = sizes.filter(({ isBeyond }) => isBeyond).map(sizeText);
  return [
    headline(found),
    ...saidOf("B", found.b),
    ...holesText(found),
    rows.length === 0 ? `${outside}: no cause.` : `${outside}: ${rows.join(", ")}.`,
    ...(slowNodes.length === 0
      ? []
      : [`Slow in this run, and in none before: ${slowNodes.join(", ")}.`]),
    ...(changed.length === 0 ? [] : [`Never so before: ${changed.join(", ")}.`]),
  ];
}

type Row = Against["causes"][number];

const beyondIn = ({ causes, response }: Against): readonly Row[] =>
  causes.filter(({ isBeyond, change }) => isBeyond && Math.abs(change) > LITTLE * response.own);

const changeText = ({ cause, change }: Row): string => `${nameOf(cause)} ${signed(change)} s`;

/** For instance `B took 90 s, 30 s more than the median of 10 runs (...): slow node +31 s (n3).` */
function headline(found: Against): string {
  const { own, change, medianOfGood } = found.response;
  const by = `${span(Math.abs(change))} ${change < 0 ? "less" : "more"}`;
  const before = `${span(medianOfGood)}, ${rangeOf(found.response)}`;
  const than = `the median of ${found.runs} runs (${before})`;
  return `B took ${span(own)}, ${by} than ${than}${reasonsText(reasonsOf(found))}.`;
}

/** Numbers of a log with holes are no certain ones. */
function holesText({ runs, runsWithHoles }: Against): readonly string[] {
  if (runsWithHoles === 0) return [];
  const logs = runsWithHoles === 1 ? "The log of 1" : `The logs of ${runsWithHoles}`;
  return [`${logs} of the ${runs} runs before ${runsWithHoles === 1 ? "has" : "have"} holes.`];
}

/** Of the change of the response, a reason has at least this share. */
const REASON = 0.2;
const REASONS = 2;

/** What changed the response: the largest causes that did, with what was never so before. */
export function reasonsOf(found: Against): readonly string[] {
  const { response } = found;
  if (!response.isBeyond || Math.abs(response.change) < LITTLE * response.own) return [];
  return beyondIn(found)
    .filter(({ change }) => change / response.change >= REASON)
    .slice(0, REASONS)
    .map((row) => {
      const beside = besideOf(row, found);
      return beside === "" ? changeText(row) : `${changeText(row)} (${beside})`;
    });
}

/** What goes with a change: the nodes that are slow, or what the job had and did. */
function besideOf({ cause }: Row, { slowNodes, sizes }: Against): string {
  if (cause === "node") return slowNodes.slice(0, NAMED).join(", ");
  const wanted = SIZES_OF.find(({ of }) => of === cause)?.sizes ?? [];
  return sizes
    .filter(({ size, isBeyond }) => isBeyond && wanted.includes(size))
    .map(timesText)
    .join(", ");
}

/** The sizes that change a cause, or a part of the usual time. */
const SIZES_OF: readonly { readonly of: Row["cause"]; readonly sizes: readonly Size[] }[] = [
  { of: "work", sizes: ["slots", "attempts", "input bytes"] },
  { of: "few-tasks", sizes: ["slots", "attempts", "input skew"] },
  { of: "bytes", sizes: ["input skew"] },
];

const rangeOf = ({ lowest, highest }: Among): string => `${plain(lowest)} to ${plain(highest)}`;

/** For instance `1.40 times the attempts`. */
function timesText({ size, own, medianOfGood }: Sized): string {
  if (size === "input skew") return `a task with ${own.toFixed(1)} times its peers' input`;
  if (medianOfGood <= 0) return size;
  return `${(own / medianOfGood).toFixed(2)} times the ${size}`;
}

type Sized = Against["sizes"][number];

/** For instance `1.40 times the attempts (140; 100 to 102 before)`. */
function sizeText(sized: Sized): string {
  const of = UNITS[sized.size];
  const range = `${of(sized.lowest)} to ${of(sized.highest)}`;
  return `${timesText(sized)} (${of(sized.own)}; ${range} before)`;
}

const UNITS: Readonly<Record<Size, (value: number) => string>> = {
  attempts: String,
  "input bytes": bytes,
  "input skew": (value) => value.toFixed(1),
  slots: String,
};
