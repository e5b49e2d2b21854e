import { type Against, type Among, against } from "../diagnose/compare/against.ts";
import { againstText } from "../diagnose/compare/against-text.ts";
import type { Run } from "../diagnose/compare/compare.ts";
import {
  type ChangeRow,
  type Compared,
  changesOf,
  headlineOf,
  logsText,
  nameOf,
  settingText,
  shownBy,
} from "../diagnose/compare/compare-text.ts";
import { plain, signed } from "../diagnose/figures.ts";
import { QUICKLY, whyOf } from "../library/explain.ts";
import { historyNamed, type NamedHistory } from "../library/history-paths.ts";
import { jobOf, twinOf } from "../library/job-of-history.ts";
import { command, type MakeCommand } from "./command.ts";
import { EXIT } from "./exit-code.ts";
import { outputOption, type PrintFormat } from "./flags.ts";
import { comparedWith } from "./history/compared.ts";
import { type Reading, withHistories } from "./history/reading.ts";
import { askedJob, type WhichJob } from "./history/which-job.ts";
import { jsonText } from "./json-text.ts";
import { type PolicyFlags, policiesOption, registryFrom } from "./policy-files.ts";
import { line } from "./shell.ts";
import { right, table, wrap } from "./table.ts";

interface Flags extends PolicyFlags, WhichJob {
  readonly format: PrintFormat;
}

export const compareCommand: MakeCommand = (shell, end) =>
  command("compare", "compare runs of a job: causes, settings, tasks", [
    "compare good/app-1 bad/app-2",
    "compare monday.jhist tuesday.jhist -o json",
    "compare app-1 app-2 app-3 app-4 app-5 slow-app-6",
  ])
    .argument("<a>", "the first run: its id, journal or history")
    .argument("<b...>", "the second run; of several runs, the last is compared with the others")
    .option("--job <id>", "the job of the last run (default: the one that lost most)")
    .option("--query <number>", "this query of SQL alone, in each run")
    .option("--stage <number>", "this stage alone, or this phase: --stage map")
    .addOption(policiesOption())
    .addOption(outputOption())
    .action(async (a: string, others: readonly string[], flags: Flags) => {
      const registry = await registryFrom(flags);
      const [last = a, ...between] = [...others].reverse();
      const good = [a, ...between.reverse()].map((name) => historyNamed(name));
      const bad = historyNamed(last);
      const text = await withHistories([...good, bad], { registry, shell }, (reading) =>
        comparison(good, bad, reading, { ...flags, width: shell.out.columns() }),
      );
      line(shell.out, text);
      end(EXIT.ok);
    });

/** Of two runs, task by task; of more, the last among the others. One history is kept in memory. */
async function comparison(
  good: readonly NamedHistory[],
  bad: NamedHistory,
  reading: Reading,
  { format, width, ...asked }: Flags & { readonly width: number },
): Promise<string> {
  const run = await reading.open(bad);
  const job = jobOf(run, askedJob(asked));
  const [first, another] = good;
  if (first !== undefined && another === undefined) {
    const found = comparedWith(await reading.open(first), run, job);
    return format === "json" ? jsonText("compare", found) : compareText(found, width);
  }
  const runs: Run[] = [];
  for (const history of good) {
    const opened = await reading.open(history);
    const twin = twinOf(job, opened);
    runs.push({ job: twin, why: whyOf(opened, twin, QUICKLY) });
  }
  const found = against(runs, { job, why: whyOf(run, job, QUICKLY) });
  return format === "json" ? jsonText("compare-runs", found) : againstTables(found, width);
}

function againstTables(found: Against, width: number): string {
  const differ = found.settings.map((one) => `${one.name}: ${settingText(one)}`);
  const rows = <T extends Among>(all: readonly T[], name: (row: T) => string) =>
    all
      .map((row) => [
        name(row),
        plain(row.medianOfGood),
        `${plain(row.lowest)} to ${plain(row.highest)}`,
        plain(row.own),
        signed(row.change),
        row.isBeyond ? "beyond all" : "",
      ])
      .filter(([, median, range, own]) => `${median} ${range} ${own}` !== "0 0 to 0 0")
      .slice(0, ROWS);
  const titles = (title: string) => [
    ...[{ title }, right("median s"), { title: "range" }, right("B s"), right("change s")],
    { title: "" },
  ];
  return [
    ...againstText(found).flatMap((sentence) => wrap(sentence, width)),
    ...(differ.length === 0 ? [] : wrap(`settings of no run before: ${differ.join("; ")}`, width)),
    "",
    table(
      titles("cause"),
      rows(found.causes, ({ cause }) => nameOf(cause)),
      width,
    ),
    "",
    table(
      titles("lost in phase"),
      rows(found.phases, ({ phase }) => phase),
      width,
    ),
  ].join("\n");
}

/** Of a table. */
const ROWS = 10;

function compareText(found: Compared, width: number): string {
  const { settings } = found;
  const differ = settings.map((one) => `${one.name}: ${settingText(one)}`);
  return [
    ...[headlineOf(found), ...logsText(found)].flatMap((sentence) => wrap(sentence, width)),
    ...(differ.length === 0 ? [] : wrap(`settings that differ: ${differ.join("; ")}`, width)),
    "",
    ...changesOf(found).flatMap(({ title, rows }) => [changesText(title, rows, width), ""]),
    ...shownBy(found).flatMap((text) => wrap(text, width)),
  ].join("\n");
}

function changesText(title: string, rows: readonly ChangeRow[], width: number): string {
  return table(
    [{ title }, right("A s"), right("B s"), right("change s")],
    rows.map(({ name, a, b, change }) => [name, a, b, change]),
    width,
  );
}
