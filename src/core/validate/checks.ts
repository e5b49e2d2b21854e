import { InputError } from "../../base/input-error.ts";
import type { SlotCounts } from "../../model/cluster.ts";
import type { ClusterEvent } from "../../model/event.ts";

/** Ids are dense and count from 0: the tables that hold them grow with the largest id. */
const ID_MAX = 0x7fffffff;

/** Slots of a kind on one node. A larger count is a mistake, and sharing would plan each slot. */
const SLOTS_MAX = 100_000;

/** Checks the fields of an event against what is possible. */
export class Checks {
  readonly #event: ClusterEvent;

  constructor(event: ClusterEvent) {
    this.#event = event;
  }

  /** Throws unless the condition holds. `expected` says what the field should have been. */
  check(condition: boolean, field: string, expected: string, found: unknown): asserts condition {
    if (condition) return;
    const { at, kind } = this.#event;
    const text = `${field}: expected ${expected}, found ${shown(found)}`;
    throw new InputError("bad-event", `event ${kind} at ${at} ms`, text);
  }

  object(field: string, value: object | undefined): void {
    this.check(typeof value === "object" && value !== null, field, "an object", value);
  }

  text(field: string, value: string): void {
    this.check(typeof value === "string" && value !== "", field, "a text", value);
  }

  oneOf(field: string, value: string, known: readonly string[]): void {
    this.check(known.includes(value), field, `one of ${known.join(", ")}`, value);
  }

  /** A possible id: whole and not negative. */
  id(field: string, value: number): void {
    const isId = Number.isInteger(value) && value >= 0 && value <= ID_MAX;
    this.check(isId, field, "a whole number from 0", value);
  }

  index(field: string, value: number, names: readonly string[]): void {
    const isIndex = Number.isInteger(value) && value >= 0 && value < names.length;
    this.check(isIndex, field, `an index into ${names.join(", ")}`, value);
  }

  /** An amount: of bytes, records, milliseconds. */
  amount(field: string, value: number): void {
    this.check(Number.isFinite(value) && value >= 0, field, "a number, 0 or more", value);
  }

  /** A time no later than the event's own. */
  past(field: string, value: number): void {
    const { at } = this.#event;
    const isPast = Number.isFinite(value) && value <= at;
    this.check(isPast, field, `a time not after the event's, ${at} ms`, value);
  }

  list(field: string, value: readonly unknown[]): void {
    this.check(Array.isArray(value), field, "a list", value);
  }

  /** An array, or what is used like one. */
  listLike(field: string, value: object): void {
    const isThing = typeof value === "object" && value !== null;
    const isList = isThing && ["length", "at", Symbol.iterator].every((key) => key in value);
    this.check(isList, field, "a list", value);
  }

  /** Whole numbers of slots, each kind once, and of each kind no more than `most` allows. */
  slots(field: string, counts: SlotCounts, kinds: readonly string[], most?: SlotCounts): void {
    this.list(field, counts);
    for (const [index, entry] of counts.entries()) {
      this.object(`${field}[${index}]`, entry);
      const { kind, count } = entry;
      this.index(`${field}[${index}].kind`, kind, kinds);
      const isFirst = counts.findIndex((other) => other?.kind === kind) === index;
      this.check(isFirst, `${field}[${index}].kind`, "each kind once", kinds[kind]);
      const isCount = Number.isInteger(count) && count >= 0 && count <= SLOTS_MAX;
      const number = `a whole number from 0 to ${SLOTS_MAX}`;
      this.check(isCount, `${field}[${index}].count`, number, count);
      if (most === undefined) continue;
      const all = most.find((other) => other.kind === kind)?.count ?? 0;
      const expected = `at most the ${all} ${kinds[kind]} slots of the node`;
      this.check(count <= all, `${field}[${index}].count`, expected, count);
    }
  }
}

function shown(value: unknown): string {
  if (typeof value === "number") return String(value);
  return JSON.stringify(value) ?? "nothing";
}
