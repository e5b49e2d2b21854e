import { defined } from "../../base/assert.ts";
import { quoted } from "../../base/json-text.ts";
import type { SlotCounts } from "../../model/cluster.ts";
import {
  type AttemptId,
  type JobId,
  type NodeId,
  type RackId,
  type RequestId,
  rackId,
  requestId,
  type SlotKind,
  slotKind,
  type TaskId,
} from "../../model/ids.ts";
import type { Why } from "../../model/why.ts";
import { type Fields, numberText } from "./fields.ts";
import { JobLines } from "./job-line.ts";
import { Names } from "./names.ts";

/** Texts of larger counts of slots are not kept. */
const COUNTS_KEPT = 256;

/** Translates ids of every kind to the words that stand for them in a line, and back. */
export class Words {
  readonly names = new Names();
  readonly jobs: JobLines;
  readonly slotKinds: readonly string[];
  readonly #slotTexts: readonly string[];
  readonly #racks: readonly string[];
  /** By slot kind and count: the two as text of JSON. */
  readonly #countTexts: readonly string[][];

  /** The last reason, and its text. */
  #why: Why | undefined;
  #whyText = "";

  constructor(setup: { readonly slotKinds: readonly string[]; readonly racks: readonly string[] }) {
    this.slotKinds = setup.slotKinds;
    this.#slotTexts = setup.slotKinds.map(quoted);
    this.#racks = setup.racks;
    this.#countTexts = setup.slotKinds.map(() => []);
    this.jobs = new JobLines(this.names, setup.slotKinds);
  }

  rack(id: RackId): string {
    return defined(this.#racks[id], `rack ${id}`);
  }

  request(id: RequestId): string {
    return `r${id}`;
  }

  /** A request as a field, if there is one, as text of JSON. */
  requestField(id: RequestId | undefined): string {
    return id === undefined ? "" : `,"request":"${this.request(id)}"`;
  }

  slotKind(kind: SlotKind): string {
    return defined(this.slotKinds[kind], `slot kind ${kind}`);
  }

  /** The slot kind's name as text of JSON. */
  slotText(kind: SlotKind): string {
    return defined(this.#slotTexts[kind], `slot kind ${kind}`);
  }

  /** The reason of an action as its last fields, as text of JSON. */
  whyText(why: Why): string {
    // Reasons without numbers are constants of the core.
    if (why === this.#why) return this.#whyText;
    let numbers = "";
    for (const [name, value] of Object.entries(why.numbers)) {
      const text = typeof value === "number" ? numberText(value) : quoted(value);
      numbers += `${numbers === "" ? "" : ","}${quoted(name)}:${text}`;
    }
    this.#why = why;
    this.#whyText = `,"rule":${quoted(why.rule)}${numbers === "" ? "" : `,"numbers":{${numbers}}`}`;
    return this.#whyText;
  }

  /** As text of JSON. */
  slots(counts: SlotCounts): string {
    let texts = "[";
    for (const one of counts)
      texts += texts === "[" ? this.#countText(one) : `,${this.#countText(one)}`;
    return `${texts}]`;
  }

  #countText({ kind, count }: SlotCounts[number]): string {
    const known = this.#countTexts[kind]?.[count];
    if (known !== undefined) return known;
    const text = `[${this.slotText(kind)},${count}]`;
    // The counts of most nodes are a few; a journal may name any.
    if (Number.isInteger(count) && count >= 0 && count < COUNTS_KEPT) {
      defined(this.#countTexts[kind], `slot kind ${kind}`)[count] = text;
    }
    return text;
  }

  readRack(fields: Fields, key: string): RackId {
    return rackId(this.#racks.indexOf(fields.oneOf(key, this.#racks)));
  }

  readRacks(fields: Fields, key: string): readonly RackId[] {
    return fields.texts(key).map((name) => {
      const rack = this.#racks.indexOf(name);
      return rack < 0 ? fields.fail(key, `of ${this.#racks.join(", ")}`) : rackId(rack);
    });
  }

  readRequest(fields: Fields, key: string): RequestId {
    const name = fields.text(key);
    return /^r\d+$/.test(name)
      ? requestId(Number(name.slice(1)))
      : fields.fail(key, "r and a number");
  }

  readSlotKind(fields: Fields, key: string): SlotKind {
    return slotKind(this.slotKinds.indexOf(fields.oneOf(key, this.slotKinds)));
  }

  readSlots(fields: Fields, key: string): SlotCounts {
    return fields.counts(key).map(([name, count]) => {
      const kind = this.slotKinds.indexOf(name);
      if (kind < 0) fields.fail(key, `of ${this.slotKinds.join(", ")}`);
      return { kind: slotKind(kind), count };
    });
  }

  readNode(fields: Fields, key: string): NodeId {
    return this.names.findNode(fields.text(key)) ?? fields.fail(key, "a node that has joined");
  }

  readNodes(fields: Fields, key: string): readonly NodeId[] {
    return fields
      .texts(key)
      .map((name) => this.names.findNode(name) ?? fields.fail(key, "nodes that have joined"));
  }

  readJob(fields: Fields, key: string): JobId {
    return this.names.findJob(fields.text(key)) ?? fields.fail(key, "a live job");
  }

  readTask(fields: Fields, key: string): TaskId {
    return this.names.findTask(fields.text(key)) ?? fields.fail(key, "a task of a live job");
  }

  readAttempt(fields: Fields, key: string): AttemptId {
    return (
      this.names.findAttempt(fields.text(key)) ?? fields.fail(key, "an attempt that was launched")
    );
  }

  /** Reads an attempt that this line may be the first to mention. */
  readNewAttempt(fields: Fields, key: string): { readonly id: AttemptId; readonly task: TaskId } {
    const found = this.names.findOrNextAttempt(fields.text(key));
    return found ?? fields.fail(key, "an attempt of a task of a live job");
  }
}
