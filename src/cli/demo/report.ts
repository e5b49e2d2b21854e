import { fileURLToPath } from "node:url";
import { median } from "../../base/stats.ts";
import { runName } from "../../library/run-journal.ts";
import { type CopyAccount, copyAccounts } from "../../report/copies.ts";
import { counted, seconds } from "../../report/quantity.ts";
import { brief } from "../display/sentence.ts";
import { here } from "../here.ts";
import { right, table, wrap } from "../table.ts";
import { type DemoRun, type Pair, pairsOf, savedAsPrinted } from "./gain.ts";
import { DEMO, scaledParameters } from "./plan.ts";

/** What the report tells besides the runs. */
export interface ReportFacts {
  /** The path of the drawing. */
  readonly picture: string;
  /** The load of the machine in the minute before the demo. */
  readonly load: number;
  readonly processors: number;
}

const TWO_RULES = fileURLToPath(new URL("../../../scenarios/late-5.4.json", import.meta.url));

/** The text at the end of the demo: the answer first, the next commands last. */
export function reportText(runs: readonly DemoRun[], facts: ReportFacts, width: number): string {
  const pairs = pairsOf(runs);
  const prose = (text: string): readonly string[] => wrap(text, width);
  return [
    "",
    ...prose(answer(pairs)),
    ...pairs.flatMap((pair) => reservation(pair, facts)).flatMap(prose),
    "",
    pairsTable(pairs, width),
    "",
    ...pairs.flatMap((pair) => prose(copiesText(pair))),
    ...prose(checksText(runs)),
    ...hadoopText(pairs),
    "",
    "Parameters scaled to a job of seconds:",
    scaledTable(width),
    "",
    `All runs over one time axis: ${here(facts.picture)}`,
    "",
    "Next:",
    ...nextCommands(pairs),
  ].join("\n");
}

/** The first sentence: what the copies saved, as measured. */
function answer(pairs: readonly Pair[]): string {
  const known = pairs.filter(({ gain }) => gain.kind === "known");
  if (known.length === 0) return "No pair of runs can be compared.";
  const ratios = known.flatMap(({ gain }) => (gain.kind === "known" ? [gain.timesFaster] : []));
  const range = `${times(Math.min(...ratios))} to ${times(Math.max(...ratios))}`;
  const spread = ratios.length === 1 ? "one pair of runs" : `${range} in ${ratios.length} pairs`;
  const ratio = `${times(median(ratios))} times as fast as without copies (${spread})`;
  if (pairs.every(isSaving)) {
    return `Copies saved ${savedText(known.map(savedAsPrinted))}: LATE was ${ratio}.`;
  }
  const ahead = known.filter((pair) => savedAsPrinted(pair) > 0).length;
  const all = counted(known.length, "pair");
  return `LATE ended first in ${ahead === 0 ? "none" : ahead} of ${all}: it was ${ratio}.`;
}

const times = (ratio: number): string => ratio.toFixed(1);

/** LATE ended first, and a copy of it had won. */
const isSaving = (pair: Pair): boolean =>
  pair.gain.kind === "known" &&
  savedAsPrinted(pair) > 0 &&
  pair.late.result.totals.speculativeWon > 0;

function savedText(saved: readonly number[]): string {
  if (saved.length > LISTED_MAX) {
    return `${seconds(Math.min(...saved))} to ${seconds(Math.max(...saved))}`;
  }
  return saved.map(seconds).join(" and ");
}

/** Of more pairs than this, the answer gives the range. */
const LISTED_MAX = 2;

/** What a reader must know about a pair in which copies have not saved anything. */
function reservation(pair: Pair, facts: ReportFacts): readonly string[] {
  const { gain, number } = pair;
  if (gain.kind === "unknown") return [`Pair ${number} tells nothing: ${gain.reason}.`];
  if (isSaving(pair)) return [];
  const saved = savedAsPrinted(pair);
  const copies = failedCopies(pair);
  if (saved > 0) return [`Pair ${number}: ${copies}The ${seconds(saved)} are due to chance.`];
  const ended =
    saved === 0
      ? "the two runs took equally long"
      : `LATE ended ${seconds(-saved)} later than the run without copies`;
  return [`Pair ${number}: ${ended}. ${copies}${otherWork(facts)}`];
}

/** Why copies cannot have helped: a sentence if none of them won, else nothing. */
function failedCopies({ late }: Pair): string {
  const { speculative, speculativeWon } = late.result.totals;
  if (speculativeWon > 0) return "";
  if (speculative === 0) return "LATE made no copy. ";
  return `LATE's ${counted(speculative, "copy", "copies")} did not win. `;
}

function otherWork({ load, processors }: ReportFacts): string {
  if (load <= processors / 2) return "Other work on the machine may have slowed that run.";
  const busy = `a load of ${load.toFixed(1)} on ${counted(processors, "processor")}`;
  return (
    `The machine was busy before the demo (${busy}), and other work slows one run more than ` +
    "another."
  );
}

/** With the slow node alone, a run under Hadoop's rule shows nothing else. */
function hadoopText(pairs: readonly Pair[]): readonly string[] {
  const isSlowNodeAlone = pairs.every(({ late }) => late.faults.length === 1);
  if (!isSlowNodeAlone || !pairs.every(isSaving)) return [];
  return ["Hadoop's own rule makes the same copy of a map here."];
}

function pairsTable(pairs: readonly Pair[], width: number): string {
  const columns = [
    ...[right("pair"), { title: "first" }, right("off"), right("LATE"), right("saved")],
    ...[right("times as fast"), right("copies won"), right("wasted")],
  ];
  const rows = pairs.map(({ number, first, off, late, gain }) => {
    const { speculative, speculativeWon, wastedMs } = late.result.totals;
    return [
      String(number),
      first === "none" ? "off" : "LATE",
      seconds(off.result.responseMs),
      seconds(late.result.responseMs),
      gain.kind === "known" ? seconds(savedAsPrinted({ off, late })) : "",
      gain.kind === "known" ? times(gain.timesFaster) : "",
      `${speculativeWon} of ${speculative}`,
      seconds(wastedMs),
    ];
  });
  return table(columns, rows, width);
}

function copiesText({ number, late }: Pair): string {
  const accounts = copyAccounts(late.result);
  if (accounts.length === 0) return `Copies in pair ${number}: none.`;
  const shown = accounts.slice(0, COPIES_SHOWN).map(copyText);
  const more = accounts.length - shown.length;
  const all = more > 0 ? [...shown, `and ${more} more`] : shown;
  return `Copies in pair ${number}: ${all.join(", ")}.`;
}

/** `replay` tells about all of them. */
const COPIES_SHOWN = 6;

function copyText({ copy, original }: CopyAccount): string {
  const from = original === undefined ? "" : ` of ${original.node}`;
  const end = copy.end.kind === "succeeded" ? "won" : "did not win";
  return `${brief(copy.task)}${from} on ${copy.node} (${end})`;
}

function checksText(runs: readonly DemoRun[]): string {
  const wrong = runs.flatMap(({ title, pair, comparison }) =>
    comparison.kind === "equal" ? [] : [`${title}, pair ${pair}: WRONG OUTPUT: ${comparison.text}`],
  );
  const words = runs.flatMap(({ comparison }) =>
    comparison.kind === "equal" ? [comparison.words] : [],
  );
  const output =
    wrong.length === 0
      ? `All ${counted(runs.length, "output")} agree with a plain loop: ${words[0]} words.`
      : `${wrong.join(". ")}.`;
  const slowed = runs.flatMap(({ result }) =>
    result.nodes.flatMap(({ name, slowed: facts }) =>
      name === DEMO.slowNode && facts !== undefined ? [facts.achieved] : [],
    ),
  );
  if (slowed.length === 0) return output;
  const range = `${times(Math.min(...slowed))} to ${times(Math.max(...slowed))}`;
  return `${output} Measured slow-down of ${DEMO.slowNode}: ${range} times.`;
}

function scaledTable(width: number): string {
  const columns = [{ title: "policy" }, { title: "parameter" }, right("here"), right("published")];
  const rows = scaledParameters().map(({ policy, name, here, published }) => {
    return [policy, name, here, published];
  });
  return table(columns, rows, width);
}

/** The run without copies is the one in which there is something to find. */
function nextCommands(pairs: readonly Pair[]): readonly string[] {
  const off = pairs.at(-1)?.off.result;
  const command = (text: string, comment: string): string =>
    `  npx broomwagon ${text}  # ${comment}`;
  return [
    ...(off === undefined
      ? []
      : [command(`why ${here(runName(off))}`, "why it was late without copies")]),
    ...(off === undefined ? [] : [command(`page ${here(runName(off))}`, "the same run as a page")]),
    command(`simulate ${here(TWO_RULES)}`, "where the two rules part"),
  ];
}
