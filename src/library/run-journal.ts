import { existsSync, readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { InputError } from "../base/input-error.ts";
import { RUN_DEFAULTS } from "../run/options.ts";
import { JOURNAL } from "../trace/open/histories-in.ts";

/** The shortest name by which `runJournal` finds the journal of this run. */
export function runName({
  id,
  journal,
}: {
  readonly id: string;
  readonly journal: string;
}): string {
  const usual = join(RUN_DEFAULTS.runDirectory, id, JOURNAL);
  return relative(process.cwd(), journal) === usual ? id : journal;
}

/** The journal of a run by its id, its directory or, without one, the latest run; else the path. */
export function runJournal(run: string | undefined): string {
  const runs = RUN_DEFAULTS.runDirectory;
  if (run !== undefined) {
    const ofRun = [join(run, JOURNAL), join(runs, run, JOURNAL)].find((path) => existsSync(path));
    return ofRun ?? run;
  }
  const journals = existsSync(runs)
    ? readdirSync(runs)
        .map((id) => join(runs, id, JOURNAL))
        .filter((path) => existsSync(path))
    : [];
  const latest = journals
    .map((path) => ({ path, at: statSync(path).mtimeMs }))
    .reduce<{ path: string; at: number } | undefined>(
      (a, b) => (a === undefined || b.at > a.at ? b : a),
      undefined,
    );
  if (latest !== undefined) return latest.path;
  const expected = `no run in ${runs}; expected a run, a journal or a history`;
  throw new InputError("missing-file", "report", expected);
}
