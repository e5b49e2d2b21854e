import { isObject, type Json } from "../../base/json.ts";
import { atLeast0, kind, mapped, oneOf, Place, record, required, text } from "../../base/shape.ts";
import type { ClusterEvent } from "../../model/event.ts";
import type { Fact } from "../../model/fact.ts";
import type { Fault } from "../../model/fault.ts";
import type { FaultLine } from "../../model/fault-line.ts";
import type { Panel } from "./layout.ts";
import { isFaultKind, marksOf } from "./marks.ts";
import { StoryTeller } from "./story.ts";

/** Gathers the panel of one run from the facts and the host lines of its journal. */
export class JournalPanel {
  readonly #teller = new StoryTeller();
  readonly #faults: FaultLine[] = [];
  readonly #file: string;
  #run: string | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  step({ event, facts }: { readonly event: ClusterEvent; readonly facts: readonly Fact[] }): void {
    for (const fact of facts) this.#teller.apply(fact);
    this.#teller.until(event.at);
  }

  /** A line of the host's own; lines other than faults and the run's id draw nothing. */
  host(data: Json): void {
    if (!isObject(data)) return;
    if (data.kind === "run" && typeof data.id === "string") this.#run = data.id;
    // A journal from before faults had a structure draws none.
    if (data.kind !== "fault" || data.fault === undefined) return;
    this.#faults.push(FAULT_LINE.read(data, new Place("bad-journal", this.#file, "host")));
  }

  /** The job and the run: "sort, run 2026-11-23-sort". */
  get title(): string {
    const jobs = this.#story.jobs.map(({ name }) => name);
    const [first = "no job"] = jobs;
    const more = jobs.length > 1 ? ` and ${jobs.length - 1} more` : "";
    return `${first}${more}${this.#run === undefined ? "" : `, run ${this.#run}`}`;
  }

  panel(slotKinds: readonly string[], title?: string): Panel {
    const story = this.#story;
    const marks = marksOf(this.#faults, story.endsAt);
    return { story, marks, slotKinds, ...(title !== undefined && { title }) };
  }

  get #story() {
    return this.#teller.tell();
  }
}

const faultKind = (name: string, place: Place): Fault["kind"] =>
  isFaultKind(name) ? name : place.refuse("a kind of fault", name);

const FAULT_LINE = record("fault", {
  kind: kind("fault"),
  at: required(atLeast0),
  node: required(text),
  what: required(text),
  fault: required(mapped(text, faultKind)),
  is: required(oneOf(["begin", "end"] as const)),
});
