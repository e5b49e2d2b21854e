/** The journal of one of a job's ApplicationMasters. */
export interface StoredJournal {
  readonly path: string;
  /** Which one it was, from 1. */
  readonly master: number;
}

/** The name that was asked for has the job's in it, a later master's its number behind that. */
export function journalsAmong(paths: readonly string[]): readonly StoredJournal[] {
  const found = paths.flatMap((path): readonly StoredJournal[] => {
    const [name, master = "1"] = /\/journal-job_\d+_\d+\.ndjson(?:\.(\d+))?$/.exec(path) ?? [];
    return name === undefined ? [] : [{ path, master: Number(master) }];
  });
  return found.sort((a, b) => a.master - b.master);
}
