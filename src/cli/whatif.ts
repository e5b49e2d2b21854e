import { InputError } from "../base/input-error.ts";
import { rhoOfTasks } from "../diagnose/compare/compare.ts";
import { matchTasks } from "../diagnose/compare/match.ts";
import { span } from "../diagnose/verdict.ts";
import type { Registry } from "../policy/registry.ts";
import type { TraceJob } from "../trace/model.ts";
import { openTrace } from "../trace/open/open-trace.ts";
import { type Change, type WhatIf, whatIf } from "../whatif/what-if.ts";
import { command, type Register } from "./command.ts";
import { LiveArea } from "./display/live-area.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { outputOption, type PrintFormat, wholeNumber } from "./flags.ts";
import { jsonText } from "./json-text.ts";
import { type PolicyFlags, policiesOption, registryFrom } from "./policy-files.ts";
import { line, type Shell } from "./shell.ts";
import { table, wrap } from "./table.ts";

const EXAMPLES = [
  "whatif app-20261122-0001",
  "whatif job.jhist --try late,yarn,none --seeds 40",
  "whatif app-20261122-0001 --try spark-4 -o json",
];

interface Flags extends PolicyFlags {
  readonly job?: string;
  readonly try: string;
  readonly seeds: number;
  readonly rho?: number;
  readonly again?: string;
  readonly anyway?: boolean;
  readonly format: PrintFormat;
}

export const registerWhatIf: Register = (program, shell, end) => {
  program.addCommand(
    command("whatif", "run a past job again under other policies, in the simulator", EXAMPLES)
      .argument("<history>", "history of Spark or Hadoop, or journal")
      .option("--job <id>", "the job of the history (default: its longest)")
      .option("--try <names>", "disciplines to try", "none,late,yarn,spark-4,mantri")
      .option("--seeds <count>", "paired runs per discipline", wholeNumber(2), 20)
      .option("--rho <share>", "the part of bad luck that copies share, 0 to 1", rhoOf)
      .option("--again <history>", "a second run of the job, which tells that part")
      .option("--anyway", "show rows although the simulator does not reproduce the record")
      .addOption(policiesOption())
      .addOption(outputOption())
      .action(async (path: string, flags: Flags) =>
        end(await run(path, flags, await registryFrom(flags), shell)),
      ),
  );
};

async function run(
  path: string,
  flags: Flags,
  registry: Registry,
  shell: Shell,
): Promise<ExitCode> {
  const trace = await openTrace(path, { registry });
  const job = jobIn(trace.jobs, path, flags.job);
  const rho = flags.rho ?? (await rhoOfPair(job, flags.again, registry));
  const area = shell.err.isLive ? new LiveArea(shell.err) : undefined;
  const found = whatIf(job, {
    policies: flags.try.split(","),
    seeds: flags.seeds,
    registry,
    ...(rho !== undefined && { rho }),
    onRun: (done, all) => {
      if (done % 10 === 0) area?.draw([`simulated ${done} of ${all} runs`]);
    },
  });
  area?.keep([]);
  const isShown = found.gate.verdict !== "bad" || flags.anyway === true;
  if (flags.format === "json") line(shell.out, jsonText("whatif", found));
  else line(shell.out, whatIfText(found, { isShown, width: shell.out.columns() }));
  return isShown ? EXIT.ok : EXIT.failed;
}

/** The longest job, unless one is named. */
function jobIn(jobs: readonly TraceJob[], path: string, id: string | undefined): TraceJob {
  const longest = jobs.toSorted((a, b) =>
    Math.sign(b.endedAt - b.submittedAt - (a.endedAt - a.submittedAt)),
  )[0];
  const found = id === undefined ? longest : jobs.find((job) => job.id === id);
  if (found !== undefined) return found;
  const known = jobs.slice(0, 10).map((job) => job.id);
  throw new InputError("bad-flag", `--job ${id}`, `${path} has the jobs ${known.join(", ")}`);
}

/** The part of bad luck that came back in the second run; undefined if no task tells it. */
async function rhoOfPair(
  job: TraceJob,
  path: string | undefined,
  registry: Registry,
): Promise<number | undefined> {
  if (path === undefined) return undefined;
  const again = await openTrace(path, { registry });
  return rhoOfTasks(matchTasks(job, jobIn(again.jobs, path, undefined)).matched);
}

function rhoOf(text: string): number {
  const value = Number(text);
  if (value >= 0 && value <= 1) return value;
  throw new InputError("bad-flag", `--rho ${text}`, "expected a number from 0 to 1");
}

function whatIfText(
  found: WhatIf,
  { isShown, width }: { readonly isShown: boolean; readonly width: number },
): string {
  const { gate, rows, seeds, baseline, responseMs } = found;
  const off = `${gate.error < 0 ? "" : "+"}${(100 * gate.error).toFixed(1)} %`;
  const head =
    `The recorded job, simulated under its own policy (${gate.discipline}), takes ` +
    `${span(gate.simulatedMs)} where ${span(responseMs)} were recorded (${off}): ` +
    `${TRUST[gate.verdict]}.`;
  if (!isShown) return wrap(head, width).join("\n");
  const right = { align: "right" } as const;
  // With a known rho there is one answer.
  const isPair = rows.every(({ byTask }) => byTask === undefined);
  const shown = rows[0]?.byAttempt?.rho ?? 0;
  const text = table(
    [
      { title: "policy" },
      ...(isPair ? [{ title: `change s, rho ${shown.toFixed(2)}` }] : BOTH_LUCKS),
      { title: "slot time", ...right },
      { title: "copies", ...right },
      { title: "won", ...right },
    ],
    rows.map(({ policy, byAttempt, byTask }) => [
      policy,
      changeText(byAttempt),
      ...(isPair ? [] : [changeText(byTask)]),
      byAttempt === undefined ? "" : `${signed(100 * byAttempt.slotShare, 1)} %`,
      (byAttempt?.copies ?? 0).toFixed(1),
      (byAttempt?.wins ?? 0).toFixed(1),
    ]),
    width,
  );
  const lucks = isPair
    ? ""
    : " Copies help most if bad luck belongs to the attempt, and least if it comes back in every " +
      "copy of the task; the truth lies between. Copies, wins and slot time are those of the " +
      "first column.";
  const paired = `Change of response against ${baseline}: mean of ${seeds} paired runs`;
  const foot = `${paired}, 95 % interval; all luck and placement are drawn anew.${lucks}`;
  return [...wrap(head, width), "", text, "", ...wrap(foot, width)].join("\n");
}

const BOTH_LUCKS = [{ title: "luck of the attempt s" }, { title: "luck of the task s" }];

const TRUST = {
  good: "within 5 %",
  rough: "rough, beyond 5 %",
  bad: "the simulator does not reproduce this job, so it cannot tell (--anyway shows the rows)",
} as const;

function changeText(change: Change | undefined): string {
  if (change === undefined) return "";
  const { ms, lowMs, highMs } = change;
  if (lowMs <= 0 && highMs >= 0) return "no sure difference";
  const s = (value: number): string => signed(value / 1_000, 1);
  return `${s(ms)} [${s(lowMs)}, ${s(highMs)}]`;
}

const signed = (value: number, digits: number): string =>
  `${value > 0 ? "+" : ""}${value.toFixed(digits)}`;
