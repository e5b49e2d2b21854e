import type { Compare } from "../diagnose/compare/compare.ts";
import {
  type ChangeRow,
  changesOf,
  headlineOf,
  settingText,
  shownBy,
} from "../diagnose/compare/compare-text.ts";
import { historyNamed } from "../library/history-paths.ts";
import { jobOf } from "../library/job-of-history.ts";
import { command, type MakeCommand } from "./command.ts";
import { EXIT } from "./exit-code.ts";
import { outputOption, type PrintFormat } from "./flags.ts";
import { comparedWith } from "./history/compared.ts";
import { withHistories } from "./history/reading.ts";
import { jsonText } from "./json-text.ts";
import { type PolicyFlags, policiesOption, registryFrom } from "./policy-files.ts";
import { line } from "./shell.ts";
import { right, table, wrap } from "./table.ts";

interface Flags extends PolicyFlags {
  readonly job?: string;
  readonly format: PrintFormat;
}

export const compareCommand: MakeCommand = (shell, end) =>
  command("compare", "compare two runs of a job: causes, settings, tasks", [
    "compare good/app-1 bad/app-2",
    "compare monday.jhist tuesday.jhist -o json",
  ])
    .argument("<a>", "the first run: its id, journal or history")
    .argument("<b>", "the second run")
    .option("--job <id>", "the job of the second run (default: the one that lost most)")
    .addOption(policiesOption())
    .addOption(outputOption())
    .action(async (a: string, b: string, flags: Flags) => {
      const registry = await registryFrom(flags);
      const runs = [historyNamed(a), historyNamed(b)] as const;
      const found = await withHistories(runs, { registry, shell }, async (reading) => {
        const [first, second] = [await reading.open(runs[0]), await reading.open(runs[1])];
        return comparedWith(first, second, jobOf(second, { id: flags.job }));
      });
      const isJson = flags.format === "json";
      const width = shell.out.columns();
      line(shell.out, isJson ? jsonText("compare", found) : compareText(found, width));
      end(EXIT.ok);
    });

function compareText(found: Compare, width: number): string {
  const { settings } = found;
  const differ = settings.map((one) => `${one.name}: ${settingText(one)}`);
  return [
    ...wrap(headlineOf(found), width),
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
