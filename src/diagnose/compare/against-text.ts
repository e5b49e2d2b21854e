import { plain, signed, span } from "../figures.ts";
import type { Against, Among, Size } from "./against.ts";
import { nameOf, saidOf } from "./compare-text.ts";

/** A smaller change is not named: of the response. */
const LITTLE = 0.01;
const NAMED = 3;

/** What is different in this run, in sentences; the first is the answer. */
export function againstText(found: Against): readonly string[] {
  const { response, runs, causes, slowNodes, sizes } = found;
  const beyond = causes
    .filter(({ isBeyond, change }) => isBeyond && Math.abs(change) > LITTLE * response.own)
    .slice(0, NAMED);
  const rows = beyond.map(
    (row) =>
      `${nameOf(row.cause)} ${signed(row.change)} s (${span(row.own)}, ${rangeOf(row)} before)`,
  );
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

/** For instance `B took 16.9 s, 3.5 s more than the median of 10 runs (13.4 s, 12.9 to 13.8).` */
function headline({ runs, response }: Against): string {
  const { own, change, medianOfGood } = response;
  const by = `${span(Math.abs(change))} ${change < 0 ? "less" : "more"}`;
  const than = `the median of ${runs} runs (${span(medianOfGood)}, ${rangeOf(response)})`;
  return `B took ${span(own)}, ${by} than ${than}.`;
}

/** Numbers of a log with holes are no certain ones. */
function holesText({ runs, runsWithHoles }: Against): readonly string[] {
  if (runsWithHoles === 0) return [];
  const logs = runsWithHoles === 1 ? "The log of 1" : `The logs of ${runsWithHoles}`;
  return [`${logs} of the ${runs} runs before ${runsWithHoles === 1 ? "has" : "have"} holes.`];
}

const rangeOf = ({ lowest, highest }: Among): string => `${plain(lowest)} to ${plain(highest)}`;

/** For instance `1.4 times the attempts (140; 100 to 102)`. */
function sizeText({ size, own, medianOfGood, lowest, highest }: { readonly size: Size } & Among) {
  const times = medianOfGood > 0 ? `${(own / medianOfGood).toFixed(2)} times the ` : "";
  return `${times}${size} (${own}; ${lowest} to ${highest} before)`;
}
