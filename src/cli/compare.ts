import { InputError } from "../base/input-error.ts";
import { CAUSE_NAMES } from "../diagnose/cause.ts";
import { type Compare, compare } from "../diagnose/compare/compare.ts";
import { plain, span } from "../diagnose/figures.ts";
import { diagnose } from "../diagnose/why.ts";
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
      .argument("<a>", "history of the first run")
      .argument("<b>", "history of the second run")
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
  const trace = await openTrace(path, { registry });
  const length = (job: (typeof trace.jobs)[number]): number => job.endedAt - job.submittedAt;
  const job = trace.jobs.reduce((x, y) => (length(y) > length(x) ? y : x));
  const found = diagnose(trace, job, { intervals: false, audit: false });
  if (found.kind === "why") return { job, why: found.why };
  throw new InputError("bad-input", path, "expected a job with attempts that can be diagnosed");
}

export function compareText(found: Compare, width: number): string {
  const { a, b, changeMs, causes, settings, tasks } = found;
  const by = changeMs < 0 ? "less" : "more";
  const difference = `${span(Math.abs(changeMs))} ${by} than A (${span(a.responseMs)})`;
  const head = `B took ${span(b.responseMs)}, ${difference}.`;
  const right = { align: "right" } as const;
  const changes = table(
    [
      { title: "cause" },
      { title: "A s", ...right },
      { title: "B s", ...right },
      { title: "change s", ...right },
    ],
    causes.map((row) => [
      row.cause === "usual" ? "usual" : CAUSE_NAMES[row.cause],
      plain(row.aMs),
      plain(row.bMs),
      signed(row.changeMs),
    ]),
    width,
  );
  const differ = settings.map(({ name, a: x, b: y }) => `${name}: ${x ?? "-"} -> ${y ?? "-"}`);
  const worst = table(
    [
      { title: "task" },
      { title: "A s", ...right },
      { title: "B s", ...right },
      { title: "change s", ...right },
    ],
    tasks.most.map((row) => [row.task, plain(row.aMs), plain(row.bMs), signed(row.changeMs)]),
    width,
  );
  const all = tasks.matched + tasks.unmatched;
  const median = `${(100 * tasks.medianChange).toFixed(1)} %`;
  const matched = `${tasks.matched} of ${all} tasks matched; median change ${median}`;
  const sure = `chance does as much in ${(100 * tasks.chance).toFixed(1)} % of sign flips`;
  const back =
    tasks.rho === undefined
      ? ""
      : ` Of what late tasks lost in A, ${Math.round(100 * tasks.rho)} % came back in B (rho).`;
  return [
    ...wrap(head, width),
    ...(differ.length === 0 ? [] : wrap(`settings that differ: ${differ.join("; ")}`, width)),
    "",
    changes,
    "",
    ...(tasks.most.length === 0 ? [] : [worst, ""]),
    ...wrap(`${matched}; ${sure}.${back}`, width),
  ].join("\n");
}

const signed = (ms: number): string => `${ms > 0 ? "+" : ""}${plain(ms)}`;
