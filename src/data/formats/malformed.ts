import { InputError } from "../../base/input-error.ts";

/**
 * What was read is not what its format says it is. The reader adds its place, since to
 * count lines is costly, unless the parser knows it.
 */
export class Malformed extends Error {
  override readonly name = "Malformed";
  readonly place: string | undefined;
  /** Its text, as far as it is known. */
  readonly record: string | undefined;

  constructor(problem: string, { place, record }: { place?: string; record?: string } = {}) {
    super(problem);
    this.place = place;
    this.record = record;
  }
}

/** What becomes of records that are malformed. A limit: they are skipped as long as it holds. */
export type OnBadRecord = "fail" | "skip" | BadRecordsMax;

/** So many in a job, or such a share of its records, 0 to 1. */
export type BadRecordsMax =
  | { readonly kind: "count"; readonly max: number }
  | { readonly kind: "share"; readonly max: number };

/** InputError if a job has passed over more than it may; `records`: those that were good. */
export function assertFewBad(on: OnBadRecord, { count, samples }: BadRecordCount, records: number) {
  if (typeof on === "string") return;
  const found = on.kind === "count" ? count : count / Math.max(1, count + records);
  if (found <= on.max) return;
  const [first] = samples;
  const most = on.kind === "count" ? String(on.max) : `${100 * on.max} %`;
  const all = `${count} of ${count + records}`;
  const example = first === undefined ? "" : `; the first: ${first.place}: ${first.problem}`;
  const expected = `expected ${most} malformed records at most, found ${all}${example}`;
  throw new InputError("bad-input", "input", expected);
}

/** One of those that were passed over. */
export interface BadRecord {
  /** File and line, or file and byte. */
  readonly place: string;
  readonly problem: string;
  /** The beginning of its text; of what is no text, nothing. */
  readonly record?: string;
}

/** Plain data. */
export interface BadRecordCount {
  readonly count: number;
  /** The first of them, ten at most. */
  readonly samples: readonly BadRecord[];
}

export const NO_BAD_RECORDS: BadRecordCount = { count: 0, samples: [] };

const SAMPLES_MAX = 10;
/** Characters of a record that are shown. */
const RECORD_MAX = 100;

/** The malformed records of one attempt. */
export class BadRecords {
  readonly #on: OnBadRecord;
  readonly #samples: BadRecord[] = [];
  #count = 0;

  constructor(on: OnBadRecord) {
    this.#on = on;
  }

  /** Whether records may be passed over. */
  get skips(): boolean {
    return this.#on !== "fail";
  }

  /** Passes over what threw, if it was malformed and may be; throws else, with the place. */
  take(thrown: unknown, place: () => string): void {
    if (!(thrown instanceof Malformed)) throw thrown;
    const { message: problem } = thrown;
    const at = (): string => thrown.place ?? place();
    const record = thrown.record?.replace(/\r?\n$/, "").slice(0, RECORD_MAX);
    if (this.#on === "fail") {
      const found = record === undefined ? "" : `, in ${quotedText(record)}`;
      throw new InputError("bad-input", at(), `${problem}${found}`);
    }
    this.#count++;
    const on = this.#on;
    if (typeof on === "object" && on.kind === "count" && this.#count > on.max) {
      const expected = `expected ${on.max} malformed records at most, found one more`;
      throw new InputError("bad-input", at(), `${expected}: ${problem}`);
    }
    if (this.#samples.length >= SAMPLES_MAX) return;
    this.#samples.push({ place: at(), problem, ...(record !== undefined && { record }) });
  }

  counted(): BadRecordCount {
    return { count: this.#count, samples: this.#samples };
  }
}

/** Of many tasks, in the order of the input. */
export function allBadRecords(tasks: Iterable<BadRecordCount>): BadRecordCount {
  let count = 0;
  const samples: BadRecord[] = [];
  for (const task of tasks) {
    count += task.count;
    samples.push(...task.samples.slice(0, SAMPLES_MAX - samples.length));
  }
  return { count, samples };
}

/** What may hold anything, for a line of a message. */
export const quotedText = (text: string): string =>
  JSON.stringify(text).replace(/[\x7f-\x9f\u2028\u2029]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
