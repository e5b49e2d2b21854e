import { InputError } from "../../base/input-error.ts";
import { isObject, parseJson } from "../../base/json.ts";
import { Place } from "../../base/shape.ts";
import { checkSeals, parseJournal } from "../../core/journal/index.ts";
import { restoreDiscipline } from "../../policy/discipline.ts";
import type { Discipline } from "../../policy/policy.ts";
import { REGISTRY, type Registry } from "../../policy/registry.ts";
import type { PlannedJob } from "../../run/job-plan.ts";
import type { RecordedOptions } from "../../run/options.ts";
import type { KnownProcess } from "../../run/process-birth.ts";
import type { RunDirectory } from "../../run/run-directory.ts";
import type { HostLine } from "./host-line.ts";
import { readHostLine } from "./host-line-shape.ts";
import { datasetVersion } from "./master/dataset-store.ts";
import { cutFile, wholeLines } from "./whole-lines.ts";

/** What a resumed run needs from the journal of a run whose master was killed. */
export interface KilledRun {
  readonly options: RecordedOptions;
  readonly discipline: Discipline;
  /** Undefined if the master was killed before it had planned the job. */
  readonly plan: PlannedJob | undefined;
  /** The nodes' processes; most or all of them are gone. */
  readonly processes: readonly KnownProcess[];
  /** How far the commit got; undefined if it had not begun. */
  readonly commit: "begun" | "done" | undefined;
  /** The accepted parts of the output, in the order of their acceptance. */
  readonly parts: readonly RecordedPart[];
}

interface RecordedPart {
  readonly part: string;
  readonly checksum: string;
  /** The byte at which the journal's line begins. */
  readonly at: number;
}

/**
 * Reads the journal of a killed master and cuts off an unfinished last line. InputError if the
 * journal does not hold enough to resume from.
 */
export function readKilledRun({ journal }: RunDirectory, registry: Registry = REGISTRY): KilledRun {
  const reader = new RemainsReader();
  let end = 0;
  let header: string | undefined;
  let number = 0;
  checkSeals(texts(journal), journal);
  for (const line of wholeLines(journal)) {
    number++;
    const { text } = line;
    if (header === undefined) header = text;
    else if (text.startsWith(HOST)) reader.read(hostLineIn(text, `${journal}:${number}`), end);
    end = line.end;
  }
  const { options } = reader;
  if (header === undefined || options === undefined) {
    throw new InputError(
      "bad-journal",
      journal,
      "it was killed before it began: run the job again",
    );
  }
  cutFile(journal, end);
  const { setup } = parseJournal([header], journal);
  return { ...reader.result, options, discipline: restoreDiscipline(setup.discipline, registry) };
}

function hostLineIn(text: string, line: string): HostLine {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new InputError("bad-journal", line, parsed.problem);
  const { value } = parsed;
  return readHostLine(
    isObject(value) ? value.host : undefined,
    new Place("bad-journal", line, "host"),
  );
}

function* texts(journal: string): Generator<string, void> {
  for (const { text } of wholeLines(journal)) yield text;
}

/** How each of the host's own lines begins. */
const HOST = '{"host":';

class RemainsReader {
  options: RecordedOptions | undefined;
  #plan: PlannedJob | undefined;
  #commit: KilledRun["commit"];
  readonly #processes: KnownProcess[] = [];
  readonly #parts: RecordedPart[] = [];

  get result(): Omit<KilledRun, "options" | "discipline"> {
    return {
      plan: this.#plan,
      commit: this.#commit,
      processes: this.#processes,
      parts: this.#parts,
    };
  }

  read(host: HostLine, at: number): void {
    switch (host.kind) {
      case "run":
        this.options = host.options;
        break;
      case "plan":
        this.#plan = host.plan;
        break;
      case "process":
        this.#processes.push({ pid: host.pid, birth: host.birth });
        break;
      case "output": {
        const { result, part } = host;
        if (part === undefined || result.kind !== "part") break;
        this.#parts.push({ part, checksum: result.part.checksum, at });
        break;
      }
      case "commit-begun":
        this.#commit = "begun";
        break;
      case "commit":
        this.#commit = "done";
        break;
      default:
    }
  }
}

/**
 * Cuts the journal before the first part whose file is gone or damaged, since what follows is no
 * longer true. Returns whether anything was cut.
 */
export function cutAtBadParts(
  { journal }: RunDirectory,
  parts: KilledRun["parts"],
  holds: (part: RecordedPart) => boolean,
): boolean {
  // Where two attempts made the same part, the second replaced the first.
  const newest = new Map(parts.filter(isThere).map((one) => [one.part, one]));
  const bad = new Set([...newest.values()].filter((one) => !holds(one)).map(({ part }) => part));
  const first = parts.find(({ part }) => bad.has(part));
  if (first === undefined) return false;
  cutFile(journal, first.at);
  return true;
}

/** Versions of a dataset that two newer versions have replaced may be gone. */
function isThere({ part }: RecordedPart, _: number, all: readonly RecordedPart[]): boolean {
  const own = datasetVersion(part);
  if (own === undefined) return true;
  const newest = all.reduce((so, other) => {
    const version = datasetVersion(other.part);
    return version?.dataset === own.dataset ? Math.max(so, version.version) : so;
  }, own.version);
  return own.version >= newest - 1;
}
