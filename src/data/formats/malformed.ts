import { InputError } from "../../base/input-error.ts";

/**
 * A record's bytes do not follow their format. The reader adds the place, which costs a count of
 * lines, unless the parser knows it.
 */
export class Malformed extends Error {
  override readonly name = "Malformed";
  readonly place: string | undefined;
  /** The record's text, as far as it is known. */
  readonly record: string | undefined;
  /** Whether the bytes only end too early: all before that is right. */
  readonly isCut: boolean;

  constructor(
    problem: string,
    { place, record, isCut = false }: { place?: string; record?: string; isCut?: boolean } = {},
  ) {
    super(problem);
    this.place = place;
    this.record = record;
    this.isCut = isCut;
  }
}

/**
 * How malformed records are treated. With a limit, they are skipped until there are more than it
 * allows.
 */
export type OnBadRecord = "fail" | "skip" | BadRecordsMax;

/** A number of records in a job, or a share of its records, 0 to 1. */
export type BadRecordsMax =
  | { readonly kind: "count"; readonly max: number }
  | { readonly kind: "share"; readonly max: number };

/**
 * Throws an InputError if a job has skipped more records than allowed; `records`: the good ones.
 */
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

/** A record that was skipped. */
export interface BadRecord {
  /** File and line, or file and byte. */
  readonly place: string;
  readonly problem: string;
  /** The beginning of the record's text; absent if the record is no text. */
  readonly record?: string;
}

/** Plain data. */
export interface BadRecordCount {
  readonly count: number;
  /** The first such records, ten at most. */
  readonly samples: readonly BadRecord[];
}

export const NO_BAD_RECORDS: BadRecordCount = { count: 0, samples: [] };

const SAMPLES_MAX = 10;
/** The most characters of a record that are shown. */
const RECORD_MAX = 100;

/** The malformed records of one attempt. */
export class BadRecords {
  readonly #on: OnBadRecord;
  readonly #samples: BadRecord[] = [];
  #count = 0;

  constructor(on: OnBadRecord) {
    this.#on = on;
  }

  /** Whether records may be skipped. */
  get skips(): boolean {
    return this.#on !== "fail";
  }

  /**
   * Skips the record if the error is Malformed and skipping is allowed; otherwise throws the error
   * with the place.
   */
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

/** The skipped records of many tasks, in the order of the input. */
export function allBadRecords(tasks: Iterable<BadRecordCount>): BadRecordCount {
  let count = 0;
  const samples: BadRecord[] = [];
  for (const task of tasks) {
    count += task.count;
    samples.push(...task.samples.slice(0, SAMPLES_MAX - samples.length));
  }
  return { count, samples };
}

/** Arbitrary text, quoted for a line of a message. */
export const quotedText = (text: string): string =>
  JSON.stringify(text).replace(/[\x7f-\x9f\u2028\u2029]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
