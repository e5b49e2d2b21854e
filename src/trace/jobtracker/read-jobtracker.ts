import { InputError } from "../../base/input-error.ts";
import type { Note, Trace } from "../../history/model.ts";
import { Bound } from "../bound.ts";
import { ByteLines } from "../byte-lines.ts";
import { textOf } from "../byte-text.ts";
import { addSettings } from "../hadoop/conf.ts";
import { HADOOP_EVENTS_MAX } from "../hadoop/history.ts";
import { hadoopTrace } from "../hadoop/to-trace.ts";
import type { TraceReader } from "../reader.ts";
import { LogJobs } from "./log-jobs.ts";
import { beginsRecord, recordIn } from "./record.ts";

/** A longer value, as after a missing closing quote, is damaged. */
const LINES_MAX = 10_000;

/**
 * Reads the log of a JobTracker, Hadoop 0.20 to 1.x: one job's, or several in sections that begin
 * with `!!FILE=its name!!`, among them the jobs' `conf.xml`.
 */
export class JobTrackerReader implements TraceReader {
  readonly #place: string;
  readonly #bound: Bound;
  readonly #jobs = new LogJobs();
  readonly #cut = new ByteLines((bytes, from, to, line) => {
    this.#line(textOf(bytes, from, to), line);
  });
  /** The lines of a record that is still incomplete. */
  #open: string[] = [];
  #firstOfOpen = 0;
  /** The section of a `conf.xml` that is being read, and those before it. */
  #conf: { readonly job: string; readonly lines: string[] } | undefined;
  readonly #confs: { readonly job: string; readonly lines: string[] }[] = [];
  #damaged = 0;
  #firstDamaged = 0;

  constructor(place: string, recordsMax: number = HADOOP_EVENTS_MAX) {
    this.#place = place;
    this.#bound = new Bound(place, recordsMax);
  }

  push(bytes: Uint8Array): void {
    this.#cut.push(bytes);
  }

  end(): Trace {
    this.#cut.end();
    this.#drop();
    this.#closeConf();
    const { jobs } = this.#jobs;
    if (jobs.size === 0) {
      const expected = 'expected records of a JobTracker, such as Job JOBID="job_..." .';
      throw new InputError("bad-input", this.#place, expected);
    }
    for (const { job, lines } of this.#confs) {
      const settings = jobs.get(job)?.settings;
      if (settings !== undefined) addSettings(lines.join("\n"), settings);
    }
    const source = {
      format: "jobtracker",
      file: this.#place,
      notes: this.#notes(),
      unread: this.#damaged,
    } as const;
    return hadoopTrace([...jobs.values()], source);
  }

  #line(text: string, line: number): void {
    // A form feed may precede it.
    const section = /^\s*!!FILE=(.*?)(!!)?\s*$/.exec(text)?.[1];
    if (section !== undefined) {
      this.#drop();
      this.#beginSection(section);
      return;
    }
    if (this.#conf !== undefined) {
      this.#conf.lines.push(text);
      return;
    }
    if (beginsRecord(text)) this.#drop();
    else if (this.#open.length === 0) {
      if (text.trim() !== "") this.#damage(line);
      return;
    }
    if (this.#open.length === 0) this.#firstOfOpen = line;
    this.#open.push(text);
    // Only a line with the record's last quote and full stop can end it.
    if (!/"\s*\.\s*$/.test(text)) {
      if (this.#open.length >= LINES_MAX) this.#drop();
      return;
    }
    const record = recordIn(this.#open.join("\n"));
    if (record === undefined) return;
    this.#open = [];
    this.#bound.count("records");
    if (!this.#jobs.apply(record)) this.#damage(this.#firstOfOpen);
  }

  #beginSection(name: string): void {
    this.#closeConf();
    const [job] = /job_\d+_\d+/.exec(name) ?? [];
    if (job !== undefined && name.endsWith(".xml")) this.#conf = { job, lines: [] };
  }

  #closeConf(): void {
    if (this.#conf === undefined) return;
    this.#confs.push(this.#conf);
    this.#conf = undefined;
  }

  /** Drops a record that was never completed. */
  #drop(): void {
    if (this.#open.length > 0) this.#damage(this.#firstOfOpen);
    this.#open = [];
  }

  #damage(line: number): void {
    if (this.#damaged === 0) this.#firstDamaged = line;
    this.#damaged += 1;
  }

  #notes(): readonly Note[] {
    const notes: Note[] = [...this.#cut.notes];
    if (this.#damaged > 0) {
      const which = `the first at line ${this.#firstDamaged}`;
      notes.push({
        kind: "damaged",
        text: `records that cannot be read: ${this.#damaged}, ${which}`,
      });
    }
    for (const [tag, count] of this.#jobs.unknown) {
      notes.push({ kind: "unknown", text: `records of the unknown kind ${tag}: ${count}` });
    }
    return notes;
  }
}
