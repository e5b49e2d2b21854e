import { InputError } from "../../base/input-error.ts";
import { isObject, parseJson } from "../../base/json.ts";
import type { Note, Trace } from "../../history/model.ts";
import { textOf } from "../byte-text.ts";
import type { HadoopJob } from "../hadoop/history.ts";
import { hadoopTrace } from "../hadoop/to-trace.ts";
import type { TraceReader } from "../reader.ts";
import { jobIn } from "./job-object.ts";
import { JsonObjects } from "./objects.ts";

/** Reads a job trace of Rumen: objects of JSON one after another, one for each job. */
export class RumenReader implements TraceReader {
  readonly #place: string;
  readonly #jobs: HadoopJob[] = [];
  readonly #objects = new JsonObjects((bytes, line) => this.#object(bytes, line));
  /** The first lines of objects that are no jobs. */
  readonly #damaged: number[] = [];

  constructor(place: string) {
    this.#place = place;
  }

  push(bytes: Uint8Array): void {
    this.#objects.push(bytes);
  }

  end(): Trace {
    const { isOpen, beginLine, strayLine } = this.#objects;
    const [first = strayLine] = this.#damaged;
    const notes: Note[] = [];
    if (isOpen) {
      notes.push({ kind: "cut-off", text: `the job that begins at line ${beginLine} is cut off` });
    }
    if (first > 0) notes.push({ kind: "damaged", text: `line ${first} begins no job of Rumen` });
    if (this.#jobs.length === 0) {
      const line = first > 0 ? first : beginLine;
      const expected = 'expected a whole job of Rumen: an object with "jobID"';
      throw new InputError("bad-input", `${this.#place}:${line}`, expected);
    }
    return hadoopTrace(this.#jobs, { format: "rumen", file: this.#place, notes });
  }

  #object(bytes: Uint8Array, line: number): void {
    const parsed = parseJson(textOf(bytes));
    const job = parsed.ok && isObject(parsed.value) ? jobIn(parsed.value) : undefined;
    if (job === undefined) this.#damaged.push(line);
    else this.#jobs.push(job);
  }
}
