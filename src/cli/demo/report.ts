import { copyAccounts, copySentence } from "../../report/copies.ts";
import { counted, seconds } from "../../report/quantity.ts";
import { here } from "../here.ts";
import { table, wrap } from "../table.ts";
import { type DemoRun, type Gain, gainOf } from "./gain.ts";
import { DEMO, scaledParameters } from "./plan.ts";

/** The text at the end of the demo. `picture`: the path of the drawing. */
export function reportText(runs: readonly DemoRun[], picture: string, width: number): string {
  const policies = [...new Map(runs.map(({ policy, title }) => [policy, title]))];
  const [[baseline] = [""], ...others] = policies;
  const gains = others.map(([policy, title]) => {
    return { title, gain: gainOf(runs, policy, baseline) };
  });
  return [
    "",
    ...gains.toReversed().flatMap(({ title, gain }) => wrap(gainText(title, gain), width)),
    "",
    runsTable(runs, policies, baseline, width),
    "",
    "Copies; times since the run started, estimates from the original's mean rate:",
    ...copyLines(runs, width),
    "",
    ...wrap(checksText(runs), width),
    "",
    "Parameters scaled to a job of seconds:",
    scaledTable(width),
    "",
    `All runs over one time axis: ${here(picture)}`,
    ...nextStep(runs),
  ].join("\n");
}

function gainText(title: string, gain: Gain): string {
  if (gain.kind === "unknown") {
    return `${title}: no ratio, because the faults differed: ${gain.reason}.`;
  }
  const { median, ratios } = gain;
  const pairs = ratios.length === 1 ? "one pair" : `${ratios.length} pairs`;
  const spread = `${times(Math.min(...ratios))} to ${times(Math.max(...ratios))} in ${pairs}`;
  return `${title}: ${times(median)} times as fast as without speculation (${spread} of runs).`;
}

const times = (ratio: number): string => ratio.toFixed(1);

function runsTable(
  runs: readonly DemoRun[],
  policies: readonly (readonly [policy: string, title: string])[],
  baseline: string,
  width: number,
): string {
  const right = (title: string) => ({ title, align: "right" as const });
  const columns = [
    { title: "" },
    right("response times"),
    right("times as fast"),
    right("copies won"),
    right("wasted"),
  ];
  const rows = policies.map(([policy, title]) => {
    const own = runs.filter((run) => run.policy === policy);
    const sum = (of: (run: DemoRun) => number): number =>
      own.reduce((all, run) => all + of(run), 0);
    const gain = policy === baseline ? undefined : gainOf(runs, policy, baseline);
    const won = sum(({ result }) => result.totals.speculativeWon);
    return [
      title,
      own.map(({ result }) => seconds(result.responseMs)).join(", "),
      gain?.kind === "known" ? times(gain.median) : "",
      `${won} of ${sum(({ result }) => result.totals.speculative)}`,
      seconds(sum(({ result }) => result.totals.wastedMs)),
    ];
  });
  return table(columns, rows, width);
}

function copyLines(runs: readonly DemoRun[], width: number): readonly string[] {
  const lines = runs.flatMap(({ title, round, result }) =>
    copyAccounts(result).map((account) => {
      return `${title}, run ${round}: ${copySentence(account)}.`;
    }),
  );
  return (lines.length === 0 ? ["no copies were made"] : lines).flatMap((text) =>
    wrap(text, width - 4).map((part, i) => `${i === 0 ? "  " : "    "}${part}`),
  );
}

function checksText(runs: readonly DemoRun[]): string {
  const wrong = runs.flatMap(({ title, round, comparison }) =>
    comparison.kind === "equal" ? [] : [`${title}, run ${round}: WRONG OUTPUT: ${comparison.text}`],
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
  const right = (title: string) => ({ title, align: "right" as const });
  const columns = [{ title: "policy" }, { title: "parameter" }, right("here"), right("published")];
  const rows = scaledParameters().map(({ policy, name, here, published }) => {
    return [policy, name, here, published];
  });
  return table(columns, rows, width);
}

function nextStep(runs: readonly DemoRun[]): readonly string[] {
  const last = runs.at(-1);
  if (last === undefined) return [];
  const command = `npx broomwagon replay ${here(last.result.journal)}`;
  return [
    `Every decision of the last run with its reason: ${command}`,
    `The same as a page: npx broomwagon page ${here(last.result.journal)}`,
  ];
}
