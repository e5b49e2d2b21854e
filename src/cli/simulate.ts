import { InputError } from "../base/input-error.ts";
import { checkFault } from "../hosts/sim/check-fault.ts";
import {
  parseScenario,
  type Resolve,
  runStudy,
  type Scenario,
  type StudyRow,
  studyLowerBoundMs,
} from "../hosts/sim/index.ts";
import { parseDiscipline } from "../policy/discipline.ts";
import { command, type Register } from "./command.ts";
import { LiveArea } from "./display/live-area.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { readFaults } from "./fault-file.ts";
import { readJson } from "./files.ts";
import { recordFirstRun } from "./first-run.ts";
import { collect, outputOption, type PrintFormat, wholeNumber } from "./flags.ts";
import { jsonText } from "./json-text.ts";
import { line, type Shell } from "./shell.ts";
import { studyText } from "./study-text.ts";

interface Flags {
  readonly discipline?: string;
  readonly set?: readonly string[];
  readonly chaos?: string;
  readonly seeds?: number;
  readonly journal?: string;
  readonly svg?: string;
  readonly explain?: boolean;
  readonly format: PrintFormat;
}

const EXAMPLES = [
  "simulate scenarios/late-5.4.json",
  "simulate scenarios/sort-stragglers.json --discipline late --svg sort.svg",
  "simulate scenarios/late-5.4.json --discipline late --set speculation.speculativeCap=0.3",
];

export const registerSimulate: Register = (program, shell, end) => {
  program.addCommand(
    command("simulate", "run a scenario in the simulator", EXAMPLES)
      .argument("<scenario>", "a scenario file: clusters, jobs and faults as JSON")
      .option("--discipline <name>", "in place of the scenario's: late,sharing=fifo-plain")
      .option("--set <seat.parameter=value>", "a policy's parameter; may be repeated", collect)
      .option("--chaos <file>", "faults from a JSON file, in place of the scenario's")
      .option("--seeds <count>", "runs of each row, in place of the scenario's", wholeNumber(1))
      .option("--journal <file>", "write the journal of the first run of the first row")
      .option("--svg <file>", "draw the first run of the first row: rows by node and slot")
      .option("--explain", "write refusals and their reasons into the journal too")
      .addOption(outputOption())
      .action((path: string, flags: Flags) => end(simulateFile(path, flags, shell))),
  );
};

function simulateFile(path: string, flags: Flags, shell: Shell): ExitCode {
  const scenario = chosen(parseScenario(readJson(path, "bad-scenario"), path), flags);
  const resolve = resolver(path, flags);
  const { journal, svg, explain = false } = flags;
  recordFirstRun(scenario, resolve, {
    explain,
    ...(journal === undefined ? {} : { journal }),
    ...(svg === undefined ? {} : { svg }),
  });
  const rows = study(scenario, resolve, flags, shell);
  const { name, about } = scenario;
  const lowerBoundMs = studyLowerBoundMs(scenario, flags.seeds ?? scenario.study.seeds);
  const bound = lowerBoundMs === undefined ? {} : { lowerBoundMs };
  const isJson = flags.format === "json";
  const json = () => jsonText({ name, about, ...bound, rows });
  line(shell.out, isJson ? json() : studyText(scenario, rows, lowerBoundMs));
  return rows.every(({ stuck }) => stuck === 0) ? EXIT.ok : EXIT.failed;
}

/** The scenario, with the discipline and the faults of the flags, if given, in place of its own. */
function chosen(scenario: Scenario, { discipline, chaos }: Flags): Scenario {
  const { cluster, study } = scenario;
  const only = discipline && { disciplines: [{ discipline, label: discipline, set: {} }] };
  const faults = chaos && {
    faults: readFaults(chaos, (fault, place) => checkFault(fault, cluster, place)),
  };
  return { ...scenario, ...faults, study: { ...study, ...only } };
}

/**
 * The flags' settings come after the scenario's, and win. An error that occurs without them is the
 * scenario's, unless a flag names the discipline.
 */
function resolver(path: string, flags: Flags): Resolve {
  return (discipline, settings) => {
    const own = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
    if (flags.discipline === undefined) checkScenario(path, discipline, own);
    return parseDiscipline(discipline, [...own, ...(flags.set ?? [])]);
  };
}

function checkScenario(path: string, discipline: string, settings: readonly string[]): void {
  try {
    parseDiscipline(discipline, settings);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(error.code, `${path}: study.disciplines`, error.message);
  }
}

function study(
  scenario: Scenario,
  resolve: Resolve,
  { seeds = scenario.study.seeds }: Flags,
  { err }: Shell,
): readonly StudyRow[] {
  const area = new LiveArea(err);
  let runs = 0;
  const rows = runStudy(scenario, {
    resolve,
    seeds,
    onRun: ({ label, seed }) => {
      runs += 1;
      if (err.isLive) area.draw([`run ${runs}: ${label}, seed ${seed}`]);
    },
  });
  if (err.isLive) {
    area.keep([]);
    area.end();
  }
  return rows;
}
