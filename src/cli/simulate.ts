import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InputError } from "../base/input-error.ts";
import { checkFault } from "../hosts/sim/check-fault.ts";
import {
  type DisciplineSpec,
  meanResponseMs,
  parseScenario,
  type Resolve,
  runStudy,
  type Scenario,
  type StudyRow,
  studyLowerBoundMs,
} from "../hosts/sim/index.ts";
import { parseDiscipline } from "../policy/discipline.ts";
import type { Registry } from "../policy/registry.ts";
import { command, type Register } from "./command.ts";
import { LiveArea } from "./display/live-area.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { readFaults } from "./fault-file.ts";
import { readJson } from "./files.ts";
import { recordFirstRun } from "./first-run.ts";
import { collect, outputOption, type PrintFormat, wholeNumber } from "./flags.ts";
import { jsonText } from "./json-text.ts";
import { PageBeside, uiOption } from "./page/beside.ts";
import { type PolicyFlags, policiesOption, registryFrom } from "./policy-files.ts";
import { line, type Shell } from "./shell.ts";
import { chooseRows, commonSettings, plainText, settingsInForce, withFlags } from "./study-rows.ts";
import { studyText } from "./study-text.ts";

interface Flags extends PolicyFlags {
  readonly discipline?: string;
  readonly set?: readonly string[];
  readonly chaos?: string;
  readonly seeds?: number;
  readonly journal?: string;
  readonly svg?: string;
  readonly explain?: boolean;
  readonly ui?: true | number;
  readonly format: PrintFormat;
}

interface FlagsAndPolicies extends Flags {
  readonly registry: Registry;
}

const EXAMPLES = [
  "simulate scenarios/late-5.4.json",
  "simulate scenarios/late-5.4.json --discipline late --svg late.svg",
  "simulate scenarios/late-5.4.json --discipline late --set speculation.speculativeCap=0.3",
];

export const registerSimulate: Register = (program, shell, end) => {
  program.addCommand(
    command("simulate", "run a scenario in the simulator", EXAMPLES)
      .argument("<scenario>", "scenario file in JSON: cluster, jobs, faults, disciplines")
      .option(
        "--discipline <name>",
        "run the scenario's rows of this discipline, or a discipline that it lacks",
      )
      .option(
        "--set <seat.parameter=value>",
        "set a parameter of a policy; may be repeated",
        collect,
      )
      .addOption(policiesOption())
      .option("--chaos <file>", "faults from a JSON file instead of the scenario's")
      .option("--seeds <count>", "runs per row (default: the scenario's)", wholeNumber(1))
      .option("--journal <file>", "write the journal of the first run of the first row")
      .option("--svg <file>", "draw the first run of the first row: rows by node and slot")
      .option("--explain", "also write to the journal why nothing was launched")
      .addOption(uiOption())
      .addOption(outputOption())
      .action(async (path: string, flags: Flags) =>
        end(await simulateShown(path, { ...flags, registry: await registryFrom(flags) }, shell)),
      ),
  );
};

/** With a page of the study beside it, if it is asked for. */
async function simulateShown(
  path: string,
  flags: FlagsAndPolicies,
  shell: Shell,
): Promise<ExitCode> {
  if (flags.ui === undefined) return simulateFile(path, flags, shell);
  const signal = shell.listenForCtrlC();
  const folder = mkdtempSync(join(tmpdir(), "broomwagon-simulate-"));
  const page = new PageBeside(flags.ui, flags.policies ?? [], shell);
  try {
    const journal = flags.journal ?? join(folder, "first-run.ndjson");
    const code = simulateFile(path, { ...flags, journal }, shell, page);
    await page.hold(signal);
    return code;
  } finally {
    page.end();
    rmSync(folder, { recursive: true });
  }
}

function simulateFile(
  path: string,
  flags: FlagsAndPolicies,
  shell: Shell,
  page?: PageBeside,
): ExitCode {
  const given = parseScenario(readJson(path, "bad-scenario"), path);
  const { rows: chosenRows, areOwn } = chooseRows(given, flags.discipline);
  const scenario = chosen(given, chosenRows, flags);
  const resolve = resolver(areOwn ? path : undefined, flags);
  const { journal, svg, explain = false } = flags;
  recordFirstRun(scenario, resolve, {
    explain,
    ...(journal === undefined ? {} : { journal }),
    ...(svg === undefined ? {} : { svg }),
  });
  if (journal !== undefined) page?.show({ journal });
  const rows = study(scenario, resolve, flags, { shell, page }).map((row) => ({
    ...row,
    set: settingsInForce(row, flags.set ?? [], resolve(row.discipline, row.set)),
  }));
  const { name, about } = scenario;
  const lowerBoundMs = studyLowerBoundMs(scenario, flags.seeds ?? scenario.study.seeds);
  const bound = lowerBoundMs === undefined ? {} : { lowerBoundMs };
  const isJson = flags.format === "json";
  const json = () => jsonText("simulate", { name, about, ...bound, rows });
  const { discipline = "", set = [] } = flags;
  const lacking = commonSettings(given).filter((text) => !set.includes(text));
  const plain = areOwn ? [] : [plainText(discipline, lacking)];
  const width = shell.out.columns();
  line(shell.out, isJson ? json() : studyText(scenario, rows, { lowerBoundMs, plain, width }));
  return rows.every(({ stuck }) => stuck === 0) ? EXIT.ok : EXIT.failed;
}

/** The scenario with the chosen rows, and with the faults of the flags, if given. */
function chosen(
  scenario: Scenario,
  rows: readonly DisciplineSpec[],
  { set = [], chaos }: Flags,
): Scenario {
  const { cluster, study } = scenario;
  const disciplines = rows.map((row) =>
    withFlags(row, { sets: set, hasOtherFaults: chaos !== undefined }),
  );
  const faults = chaos && {
    faults: readFaults(chaos, (fault, place) => checkFault(fault, cluster, place)),
  };
  return { ...scenario, ...faults, study: { ...study, disciplines } };
}

/**
 * The flags' settings come after the scenario's, and win. For rows of the scenario at `path`, an
 * error that occurs without the flags is the scenario's.
 */
function resolver(path: string | undefined, flags: FlagsAndPolicies): Resolve {
  return (discipline, settings) => {
    const own = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
    if (path !== undefined) checkScenario(path, discipline, own, flags.registry);
    return parseDiscipline(discipline, [...own, ...(flags.set ?? [])], flags.registry);
  };
}

function checkScenario(
  path: string,
  discipline: string,
  settings: readonly string[],
  registry: Registry,
): void {
  try {
    parseDiscipline(discipline, settings, registry);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(error.code, `${path}: study.disciplines`, error.message);
  }
}

/** A page learns of a study at most this often. */
const TELL_EVERY_MS = 200;

function study(
  scenario: Scenario,
  resolve: Resolve,
  { seeds = scenario.study.seeds }: Flags,
  { shell: { err }, page }: { readonly shell: Shell; readonly page: PageBeside | undefined },
): readonly StudyRow[] {
  const area = new LiveArea(err);
  let runs = 0;
  const found = new Map<string, number[]>();
  let toldAt = 0;
  const tell = (): void => {
    page?.learn({
      scenario: scenario.name,
      seeds,
      rows: [...found].map(([label, responseMs]) => ({ label, responseMs })),
    });
    toldAt = performance.now();
  };
  const rows = runStudy(scenario, {
    resolve,
    seeds,
    onRun: ({ label, swept, seed, result }) => {
      runs += 1;
      const row = swept === undefined ? label : `${label}, ${swept.parameter} ${swept.value}`;
      const responseMs = found.get(row) ?? [];
      found.set(row, responseMs);
      responseMs.push(meanResponseMs(result));
      if (performance.now() - toldAt >= TELL_EVERY_MS) tell();
      if (err.isLive) area.draw([`run ${runs}: ${label}, seed ${seed}`]);
    },
  });
  tell();
  if (err.isLive) {
    area.keep([]);
    area.end();
  }
  return rows;
}
