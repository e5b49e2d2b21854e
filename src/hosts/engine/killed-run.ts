import { InputError } from "../../base/input-error.ts";
import { checkSeals, parseJournal } from "../../core/journal/index.ts";
import { restoreDiscipline } from "../../policy/discipline.ts";
import type { Discipline } from "../../policy/policy.ts";
import type { PlannedJob } from "../../run/job-plan.ts";
import type { RecordedOptions } from "../../run/options.ts";
import type { KnownProcess } from "../../run/process-birth.ts";
import type { RunDirectory } from "../../run/run-directory.ts";
import type { HostLine } from "./host-line.ts";
import { datasetVersion } from "./master/dataset-store.ts";
import { cutFile, wholeLines } from "./whole-lines.ts";

/** What the journal of a run whose master was killed says that is needed to go on. */
export interface KilledRun {
  readonly options: RecordedOptions;
  readonly discipline: Discipline;
  /** Undefined: nothing had been planned yet. */
  readonly plan: PlannedJob | undefined;
  /** Processes of nodes; most or all of them are gone. */
  readonly processes: readonly KnownProcess[];
  /** How far the commit had come; undefined: not begun. */
  readonly commit: "begun" | "done" | undefined;
  /** Accepted parts of the output, in the order of their acceptance. */
  readonly parts: readonly RecordedPart[];
}

interface RecordedPart {
  readonly part: string;
  readonly checksum: string;
  /** The byte at which its line begins. */
  readonly at: number;
}

/**
 * Reads what a killed master has written, and cuts off the line in which it was interrupted.
 * InputError if there is not enough to go on with.
 */
export function readKilledRun({ journal }: RunDirectory): KilledRun {
  const reader = new RemainsReader();
  let end = 0;
  let header: string | undefined;
  checkSeals(texts(journal), journal);
  for (const line of wholeLines(journal)) {
    if (header === undefined) header = line.text;
    else if (line.text.startsWith(HOST)) reader.read(line.text, end);
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
  return { ...reader.result, options, discipline: restoreDiscipline(setup.discipline) };
}

function* texts(journal: string): Generator<string, void> {
  for (const { text } of wholeLines(journal)) yield text;
}

/** How a line of the host's own begins. */
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

  read(text: string, at: number): void {
    const { host }: { readonly host: HostLine } = JSON.parse(text);
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
 * The journal is believed as far as the parts of which it speaks are what they were: it is cut off
 * before the first that is not. Returns whether it was.
 */
export function cutAtBadParts(
  { journal }: RunDirectory,
  parts: KilledRun["parts"],
  holds: (part: RecordedPart) => boolean,
): boolean {
  // Of two attempts that made the same part the second has taken the place of the first.
  const newest = new Map(parts.filter(isThere).map((one) => [one.part, one]));
  const bad = new Set([...newest.values()].filter((one) => !holds(one)).map(({ part }) => part));
  const first = parts.find(({ part }) => bad.has(part));
  if (first === undefined) return false;
  cutFile(journal, first.at);
  return true;
}

/** Of a dataset, versions that two newer ones have replaced may be gone. */
function isThere({ part }: RecordedPart, _: number, all: readonly RecordedPart[]): boolean {
  const own = datasetVersion(part);
  if (own === undefined) return true;
  const newest = all.reduce((so, other) => {
    const version = datasetVersion(other.part);
    return version?.dataset === own.dataset ? Math.max(so, version.version) : so;
  }, own.version);
  return own.version >= newest - 1;
}
