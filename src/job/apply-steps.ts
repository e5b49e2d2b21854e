import { AssertionError, never } from "../base/assert.ts";
import { InputError } from "../base/input-error.ts";
import { ByteWriter } from "./byte-writer.ts";
import { blamed } from "./culprit.ts";
import { emitted, pairOf } from "./emitted.ts";
import { readEscapedText, writeEscapedText } from "./escaped-text.ts";
import { isKey, type Key } from "./key.ts";
import type { KeyMap } from "./key-map.ts";
import type { JoinSide } from "./parts.ts";
import { orderedKey } from "./sort-order.ts";
import type { AnyContext, JoinHow, Selector, Step } from "./step.ts";

/** The receiver of records. A pair may be handed over without an array around it. */
export interface RecordSink {
  add(record: unknown): void;
  addPair(key: Key, value: unknown): void;
}

/** The parts of a task that its steps need. */
export interface StepHost {
  /** A context whose `emit` calls this function. */
  context(emit: (key: Key, value: unknown) => void): AnyContext;
  /** A dataset of pairs, by key. */
  table(dataset: number): KeyMap<readonly unknown[]>;
}

/**
 * Chains steps without calls: returns the first one's sink; a record given to it passes through all
 * steps into `into`.
 */
export function applySteps(steps: readonly Step[], host: StepHost, into: RecordSink): RecordSink {
  return steps.reduceRight((next, step) => apply(step, host, next), into);
}

function apply(step: Step, host: StepHost, next: RecordSink): RecordSink {
  switch (step.kind) {
    case "map": {
      const ctx = host.context((key, value) => next.addPair(key, value));
      return records((record) => {
        try {
          next.add(step.map(record, ctx));
        } catch (error) {
          throw blamed(error, step.map);
        }
      });
    }
    case "flat-map":
      return flatMap(step, host, next);
    case "filter": {
      const ctx = host.context((key, value) => next.addPair(key, value));
      return records((record) => {
        if (step.keep(record, ctx)) next.add(record);
      });
    }
    case "words":
      return records((record) => eachWord(textOf(record, "words"), (word) => next.add(word)));
    case "matching":
      return matching(step.pattern, next);
    case "map-bytes":
      return mapBytes(step, next);
    case "pair": {
      const ctx = host.context((key, value) => next.addPair(key, value));
      const key = select(step.key, ctx);
      const value = select(step.value, ctx);
      const culprit = culpritAmong(step);
      return records((record) => {
        try {
          next.addPair(keyOf(key(record)), value(record));
        } catch (error) {
          throw culprit === undefined ? error : blamed(error, culprit);
        }
      });
    }
    case "lookup":
      return lookup(step, host, next);
    case "map-async":
      throw new AssertionError("steps are cut where calls are awaited");
    default:
      return never(step);
  }
}

/** The user's function whose keys or values may be refused. */
function culpritAmong({ key, value }: Extract<Step, { kind: "pair" }>): object | undefined {
  const by = key.kind === "ordered" ? key.by : key;
  for (const selector of [by, value]) if (selector.kind === "function") return selector.of;
  return undefined;
}

/** A sink of single records: a pair becomes a record too. */
const records = (add: (record: unknown) => void): RecordSink => ({
  add,
  addPair: (key, value) => add([key, value]),
});

function flatMap(
  step: Extract<Step, { kind: "flat-map" }>,
  host: StepHost,
  next: RecordSink,
): RecordSink {
  const { by, pairs } = step;
  const ctx = host.context((key, value) => next.addPair(key, value));
  return records((record) => {
    try {
      const made = step.flatMap(record, ctx);
      if (made === undefined) return;
      if (!pairs) {
        for (const one of emitted(made, by)) next.add(one);
        return;
      }
      for (const pair of emitted(made, by)) {
        const [key, value] = pairOf(pair, by);
        next.addPair(key, value);
      }
    } catch (error) {
      throw blamed(error, step.flatMap);
    }
  });
}

/** The maximal runs of characters above a space. */
function eachWord(text: string, take: (word: string) => void): void {
  let start = -1;
  for (let i = 0; i < text.length; i++) {
    const isMark = text.charCodeAt(i) <= 0x20;
    if (isMark && start >= 0) {
      take(text.slice(start, i));
      start = -1;
    } else if (!isMark && start < 0) {
      start = i;
    }
  }
  if (start >= 0) take(text.slice(start));
}

function matching(pattern: string | RegExp, next: RecordSink): RecordSink {
  const matches =
    typeof pattern === "string"
      ? (text: string) => text.includes(pattern)
      : (text: string) => pattern.test(text);
  return records((record) => {
    const text = textOf(record, "matching");
    if (matches(text)) next.add(text);
  });
}

function mapBytes(step: Extract<Step, { kind: "map-bytes" }>, next: RecordSink): RecordSink {
  const into = new ByteWriter();
  return records((record) => {
    into.length = 0;
    writeEscapedText(into, textOf(record, "mapBytes"));
    const { bytes, length } = into;
    step.mapBytes(bytes, 0, length, (start, end) => {
      if (start >= 0 && start <= end && end <= length) {
        next.add(readEscapedText(bytes, start, end));
        return;
      }
      const expected = `expected a slice within 0 to ${length}, found ${start} to ${end}`;
      throw blamed(new InputError("bad-job", "mapBytes", expected), step.mapBytes);
    });
  });
}

function lookup(
  step: Extract<Step, { kind: "lookup" }>,
  host: StepHost,
  next: RecordSink,
): RecordSink {
  const table = host.table(step.table);
  const addPair = (key: Key, left: unknown): void =>
    joinOne(step.how, key, left, table.get(key) ?? [], next);
  return { addPair, add: (record) => addPair(...pairOf(record, "join")) };
}

/** Joins one value of the left side with all values of its key on the right. */
export function joinOne(
  how: JoinHow,
  key: Key,
  left: unknown,
  right: Iterable<unknown>,
  next: RecordSink,
): void {
  let isAlone = true;
  for (const value of right) {
    isAlone = false;
    if (how === "semi" || how === "anti") break;
    next.addPair(key, [left, value]);
  }
  if (how === "left" && isAlone) next.addPair(key, [left, undefined]);
  if (how === (isAlone ? "anti" : "semi")) next.addPair(key, left);
}

function select(selector: Selector, ctx: AnyContext): (record: unknown) => unknown {
  switch (selector.kind) {
    case "record":
      return (record) => record;
    case "constant":
      return () => selector.value;
    case "column":
      return (record) => columnOf(record, selector.name);
    case "side":
      return (record) => sideIn(record, selector.side);
    case "ordered": {
      const key = select(selector.by, ctx);
      return (record) => orderedKey(keyOf(key(record)), selector.order);
    }
    case "function":
      return (record) => selector.of(record, ctx);
    default:
      return never(selector);
  }
}

function columnOf(record: unknown, name: string): unknown {
  if (typeof record === "object" && record !== null && Object.hasOwn(record, name)) {
    return Reflect.get(record, name);
  }
  throw new InputError("bad-job", `column ${name}`, "expected it in each record");
}

function sideIn(record: unknown, side: JoinSide): unknown {
  const values: unknown = Array.isArray(record) ? record[1] : undefined;
  if (Array.isArray(values)) return values[side === "left" ? 0 : 1];
  throw new InputError("bad-job", side, "expected the record of a join");
}

function keyOf(value: unknown): Key {
  if (isKey(value)) return value;
  const expected = "expected a string, number, bigint, boolean, null, Date or an array of these";
  throw new InputError("bad-job", "key", `${expected}, found ${typeof value}`);
}

function textOf(record: unknown, by: string): string {
  if (typeof record === "string") return record;
  throw new InputError("bad-job", by, `expected texts, found ${typeof record}`);
}
