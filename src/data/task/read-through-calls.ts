import { applySteps, type RecordSink, type StepHost } from "../../job/apply-steps.ts";
import { Caller } from "../../job/caller.ts";
import { cutAtCalls, type PullSteps, pullSteps } from "../../job/pull-steps.ts";
import type { Step } from "../../job/step.ts";
import type { RecordReader } from "../formats/record-reader.ts";
import { callInOrder } from "./call-in-order.ts";
import type { InputRecord, Passing, ReadSoFar } from "./passing.ts";
import { Pacer } from "./progress.ts";
import { atPlace } from "./user-code-error.ts";

/** The reading of a task's records, with steps that await calls. */
export interface ReadingThroughCalls {
  readonly steps: readonly Step[];
  readonly host: StepHost;
  readonly reading: RecordReader;
  readonly sink: RecordSink;
  report(so: ReadSoFar): void;
}

/** How often calls that take long are a sign of life. */
const BEAT_MS = 1_000;

/**
 * Passes the records through the steps, in their order: a step takes a record from the steps before
 * when it can make another call, so that little is read ahead. Returns the number of input records.
 */
export async function readThroughCalls(query: ReadingThroughCalls): Promise<number> {
  const { steps, host, reading, sink, report } = query;
  const { parts, after } = cutAtCalls(steps);
  const callers: Caller[] = [];
  const abort = (reason: unknown): void => {
    for (const caller of callers) caller.abort(reason);
  };
  let passing = inputRecords(reading);
  for (const { before, step } of parts) {
    const caller = new Caller(step, host);
    callers.push(caller);
    const made = before.length === 0 ? passing : pulled(passing, pullSteps(before, host));
    passing = callInOrder(made, { caller, abort });
  }
  const last = applySteps(after, host, sink);
  const pacer = new Pacer();
  let so: ReadSoFar = { score: 0, bytesRead: 0, records: 0 };
  const beat = setInterval(() => {
    // Calls without a time limit may never end, and must not look alive.
    if (!callers.some(({ isBounded }) => isBounded)) return;
    try {
      report(so);
    } catch (error) {
      abort(error);
    }
  }, BEAT_MS);
  try {
    for await (const one of passing) {
      if (one.kind === "record") {
        addTo(last, one);
      } else {
        so = one.from;
        if (pacer.step()) report(so);
      }
    }
  } finally {
    clearInterval(beat);
  }
  return so.records;
}

function addTo(sink: RecordSink, { record, from }: Passing & { kind: "record" }): void {
  try {
    sink.add(record);
  } catch (error) {
    throw atPlace(from.place, error, from.record);
  }
}

/** The records of a block are held until they are asked for. */
async function* inputRecords(reading: RecordReader): AsyncGenerator<Passing, void, undefined> {
  let records = 0;
  let block: InputRecord[] = [];
  const pieces = reading.pieces((record) => {
    const { at, score, bytesRead } = reading;
    records++;
    block.push({ record, score, bytesRead, records, place: () => reading.place(at) });
  });
  try {
    for (let next = await nextOf(pieces); ; next = await nextOf(pieces)) {
      for (const from of block) {
        yield { kind: "record", record: from.record, from };
        yield { kind: "passed", from };
      }
      block = [];
      if (next.kind === "end") return;
      // The records before the one that cannot be read have passed.
      if (next.kind === "failed") throw readingError(reading, next.error);
    }
  } finally {
    await pieces.return();
  }
}

type NextPiece =
  | { readonly kind: "piece" | "end" }
  | { readonly kind: "failed"; readonly error: unknown };

async function nextOf(pieces: AsyncGenerator<void, void, undefined>): Promise<NextPiece> {
  try {
    return { kind: (await pieces.next()).done === true ? "end" : "piece" };
  } catch (error) {
    return { kind: "failed", error };
  }
}

/** At a record, the error is that of the user's `decode`. */
const readingError = (reading: RecordReader, error: unknown): unknown =>
  reading.isAtRecord ? atPlace(() => reading.place(), error) : error;

async function* pulled(
  passing: AsyncIterable<Passing>,
  pull: PullSteps,
): AsyncGenerator<Passing, void, undefined> {
  for await (const one of passing) {
    if (one.kind === "record") yield* madeOf(one, pull);
    else yield one;
  }
}

function* madeOf(
  { record, from }: Passing & { kind: "record" },
  pull: PullSteps,
): Generator<Passing, void, undefined> {
  try {
    for (const made of pull(record)) yield { kind: "record", record: made, from };
  } catch (error) {
    throw atPlace(from.place, error, from.record);
  }
}
