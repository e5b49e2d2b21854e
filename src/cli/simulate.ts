import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { checkFault } from "../hosts/sim/check-fault.ts";
import {
  parseScenario,
  type Scenario,
  SEEDS_MAX,
  type SimulationResult,
  Study,
  type StudyRow,
} from "../hosts/sim/index.ts";
import { resolver } from "../library/simulate/resolver.ts";
import { runUnits } from "../library/simulate/run-units.ts";
import { chosenStudy, studyDocument } from "../library/simulate/study-document.ts";
import type { ThreadStudy } from "../library/simulate/worker.ts";
import { chooseRows, commonSettings, plainText } from "../library/study-rows.ts";
import type { Fault } from "../model/fault.ts";
import type { Registry } from "../policy/registry.ts";
import { command, type MakeCommand } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { readFaults } from "./fault-file.ts";
import { readJson } from "./files.ts";
import { recordFirstRuns } from "./first-run.ts";
import { collect, outputOption, type PrintFormat, wholeNumber } from "./flags.ts";
import { jsonText } from "./json-text.ts";
import { type PageBeside, pageBeside, uiOption } from "./page/beside.ts";
import { type PolicyFlags, policiesOption, registryFrom } from "./policy-files.ts";
import { line, type Shell } from "./shell.ts";
import { StudyDisplay } from "./simulate/display.ts";
import { studyText } from "./study-text.ts";

interface Flags extends PolicyFlags {
  readonly discipline?: string;
  readonly set?: readonly string[];
  readonly chaos?: string;
  readonly seeds?: number;
  readonly journal?: string;
  readonly svg?: string;
  readonly explain?: boolean;
  readonly workers: number;
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

export const simulateCommand: MakeCommand = (shell, end) =>
  command("simulate", "run a scenario in the simulator", EXAMPLES)
    .argument("<scenario>", "scenario file in JSON: cluster, jobs, faults, disciplines")
    .option(
      "--discipline <name>",
      "run the scenario's rows of this discipline, or a discipline that it lacks",
    )
    .option(
      "--set <seat.parameter=value>",
      "set a parameter in the rows that have it; may be repeated",
      collect,
    )
    .addOption(policiesOption())
    .option("--chaos <file>", "faults from a JSON file instead of the scenario's")
    .option("--seeds <count>", "runs per row (default: the scenario's)", wholeNumber(1, SEEDS_MAX))
    .option("--journal <file>", "write the journal of the first run of the last row")
    .option("--svg <file>", "draw the first run of each discipline: rows by node and slot")
    .option("--explain", "also write to the journal why nothing was launched")
    .option("--workers <count>", "threads", wholeNumber(1, 256), availableParallelism())
    .addOption(uiOption())
    .addOption(outputOption())
    .action(async (path: string, flags: Flags) =>
      end(await simulateShown(path, { ...flags, registry: await registryFrom(flags) }, shell)),
    );

/** Runs the study, with a page beside it if one is requested. */
async function simulateShown(
  path: string,
  flags: FlagsAndPolicies,
  shell: Shell,
): Promise<ExitCode> {
  const page = await pageBeside(flags, shell);
  if (page === undefined) return simulateFile(path, flags, shell);
  const signal = shell.listenForCtrlC();
  const folder = mkdtempSync(join(tmpdir(), "broomwagon-simulate-"));
  try {
    const journal = flags.journal ?? join(folder, "first-run.ndjson");
    const code = await simulateFile(path, { ...flags, journal }, shell, page);
    await page.hold(signal);
    return code;
  } finally {
    page.end();
    rmSync(folder, { recursive: true });
  }
}

async function simulateFile(
  path: string,
  flags: FlagsAndPolicies,
  shell: Shell,
  page?: PageBeside,
): Promise<ExitCode> {
  const given = parseScenario(readJson(path, "bad-scenario"), path);
  const { rows: chosenRows, areOwn } = chooseRows(given, flags.discipline);
  const { registry, set: sets = [], discipline = "" } = flags;
  const own = areOwn ? path : undefined;
  const resolve = resolver(own, registry);
  const faults = faultsIn(flags.chaos, given);
  const scenario = chosenStudy(given, chosenRows, { sets, registry, resolve, ...faults });
  const { journal, svg, explain = flags.ui !== undefined, policies = [], workers } = flags;
  const { seeds = scenario.study.seeds } = flags;
  const recorded = recordFirstRuns(scenario, resolve, {
    ...{ explain, err: shell.err },
    ...(journal === undefined ? {} : { journal }),
    ...(svg === undefined ? {} : { svg }),
  });
  if (journal !== undefined) page?.show({ journal });
  const study = new Study(scenario, { resolve, seeds });
  if (journal !== undefined && study.units.length > seeds) line(shell.err, journalText(study));
  const thread = { scenario, seeds, path: own, policies };
  const watched = { shell, page, recorded };
  const found = await rowsOf(study, thread, workers, watched);
  if (found === undefined) return EXIT.interrupted;
  const document = studyDocument(scenario, found, { seeds, resolve });
  const { lowerBoundMs, rows } = document;
  const isJson = flags.format === "json";
  const lacking = commonSettings(given).filter((text) => !sets.includes(text));
  const plain = areOwn ? [] : [plainText(discipline, lacking)];
  const width = shell.out.columns();
  const text = (): string => studyText(scenario, rows, { lowerBoundMs, plain, width });
  line(shell.out, isJson ? jsonText("simulate", document) : text());
  return rows.every(({ stuck }) => stuck === 0) ? EXIT.ok : EXIT.failed;
}

/** The faults of the file, if there is one. */
const faultsIn = (
  chaos: string | undefined,
  { cluster }: Scenario,
): { readonly faults?: readonly Fault[] } =>
  chaos === undefined
    ? {}
    : { faults: readFaults(chaos, (fault, place) => checkFault(fault, cluster, place)) };

/** For instance `The journal is that of the last row: LATE, seed 1.` */
function journalText(study: Study): string {
  const { label, swept } = study.settingOf(study.ofLastRow);
  const value = swept === undefined ? "" : `, ${swept.parameter}=${swept.value}`;
  return `The journal is that of the last row: ${label}${value}, seed ${study.ofLastRow.seed}.`;
}

/** What a study needs to be shown while it runs. */
interface Watched {
  readonly shell: Shell;
  readonly page: PageBeside | undefined;
  /** The result of the run that has a journal. */
  readonly recorded: SimulationResult | undefined;
}

/** The rows of the study; undefined if Ctrl-C stopped it. */
async function rowsOf(
  study: Study,
  thread: ThreadStudy,
  workers: number,
  watched: Watched,
): Promise<readonly StudyRow[] | undefined> {
  const { recorded, shell } = watched;
  const display = new StudyDisplay(study, thread, watched);
  const figures = await runUnits(study, {
    thread,
    workers,
    listenForCtrlC: () => shell.listenForCtrlC(),
    onShare: (unit, done) => display.share(unit, done),
    onRun: (unit, run) => display.show(unit, run),
    known: new Map(recorded === undefined ? [] : [[study.ofLastRow, study.figuresOf(recorded)]]),
  }).finally(() => display.end());
  if (figures === undefined) line(shell.err, `stopped after ${display.runsText}`);
  return figures && study.rows(figures);
}
