import { InputError } from "../base/input-error.ts";
import { type Compare, compare } from "../diagnose/compare/compare.ts";
import {
  type ChangeRow,
  changesOf,
  headlineOf,
  settingText,
  shownBy,
} from "../diagnose/compare/compare-text.ts";
import { diagnose } from "../diagnose/why.ts";
import { runJournal } from "../library/run-journal.ts";
import type { Registry } from "../policy/registry.ts";
import { openTrace } from "../trace/open/open-trace.ts";
import { command, type Register } from "./command.ts";
import { EXIT } from "./exit-code.ts";
import { outputOption, type PrintFormat } from "./flags.ts";
import { jsonText } from "./json-text.ts";
import { type PolicyFlags, policiesOption, registryFrom } from "./policy-files.ts";
import { line } from "./shell.ts";
import { table, wrap } from "./table.ts";

interface Flags extends PolicyFlags {
  readonly format: PrintFormat;
}

export const registerCompare: Register = (program, shell, end) => {
  const examples = ["compare good/app-1 bad/app-2", "compare monday.jhist tuesday.jhist -o json"];
  program.addCommand(
    command("compare", "compare two runs of a job: causes, settings, tasks", examples)
      .argument("<a>", "the first run: its id, journal or history")
      .argument("<b>", "the second run")
      .addOption(policiesOption())
      .addOption(outputOption())
      .action(async (a: string, b: string, flags: Flags) => {
        const registry = await registryFrom(flags);
        const found = compare(await runIn(a, registry), await runIn(b, registry));
        const isJson = flags.format === "json";
        const width = shell.out.columns();
        line(shell.out, isJson ? jsonText("compare", found) : compareText(found, width));
        end(EXIT.ok);
      }),
  );
};

/** The longest job of the history, and its diagnosis. */
async function runIn(path: string, registry: Registry) {
  const trace = await openTrace(runJournal(path), { registry });
  const length = (job: (typeof trace.jobs)[number]): number => job.endedAt - job.submittedAt;
  const job = trace.jobs.reduce((x, y) => (length(y) > length(x) ? y : x));
  const found = diagnose(trace, job, { intervals: false, audit: false });
  if (found.kind === "why") return { job, why: found.why };
  throw new InputError("bad-input", path, "expected a job with attempts that can be diagnosed");
}

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
  const right = { align: "right" } as const;
  return table(
    [
      { title },
      { title: "A s", ...right },
      { title: "B s", ...right },
      { title: "change s", ...right },
    ],
    rows.map(({ name, a, b, change }) => [name, a, b, change]),
    width,
  );
}
