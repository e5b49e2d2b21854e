import type { JsonObject } from "../../base/json.ts";
import { numberIn, textIn } from "../json-values.ts";
import { SparkApplication } from "./application.ts";
import type { EventFields } from "./event-fields.ts";
import { taskOf } from "./task-event.ts";

/**
 * The applications of a log: a file that joins several logs has several. An application begins
 * with its `LogStart`, which does not name it, and is named by its `ApplicationStart`; a repeated
 * start belongs to the application that it names.
 */
export class Applications {
  readonly #all: SparkApplication[] = [new SparkApplication()];
  /** Events from a later `LogStart` on, until the name of their application is known. */
  #head: JsonObject[] = [];
  #isMixed = false;

  /** The application that jobs, stages and tasks belong to. */
  get current(): SparkApplication {
    this.#settle();
    return this.#latest;
  }

  startTask(fields: EventFields): void {
    const { current } = this;
    if (this.#all.length > 1) {
      const task = taskOf(fields);
      if (task !== undefined && current.runsAnother(task)) this.#isMixed = true;
    }
    current.startTask(fields);
  }

  endTask(fields: EventFields): void {
    const { current } = this;
    if (this.#all.length > 1) {
      const task = taskOf(fields);
      const isOfEarlier = (one: SparkApplication): boolean =>
        one !== current && task !== undefined && one.runs(task);
      if (task !== undefined && !current.runs(task) && this.#all.some(isOfEarlier)) {
        this.#isMixed = true;
      }
    }
    current.endTask(fields);
  }

  apply(event: JsonObject): void {
    const kind = textIn(event, "Event") ?? "";
    if (kind === "SparkListenerApplicationEnd" && this.#all.length > 1) {
      const { endedAt } = this.#latest;
      if (endedAt !== undefined && endedAt !== numberIn(event, "Timestamp")) this.#isMixed = true;
    }
    const isOpen = this.#head.length > 0;
    if (kind === "SparkListenerApplicationStart") {
      if (this.#isAnother(event)) this.#all.push(new SparkApplication());
      this.#settle();
      this.#latest.apply(event);
    } else if (isOpen || (kind === "SparkListenerLogStart" && this.#latest.isBegun)) {
      this.#head.push(event);
    } else this.#latest.apply(event);
  }

  /**
   * The applications whose lines stand among each other: tasks of one end after another has begun,
   * two tasks of one id run at once, or an application ends twice. Else none.
   */
  get mixed(): readonly SparkApplication[] {
    return this.#isMixed ? this.#all : [];
  }

  end(): readonly SparkApplication[] {
    this.#settle();
    return this.#all;
  }

  get #latest(): SparkApplication {
    return this.#all.at(-1) ?? new SparkApplication();
  }

  #isAnother(start: JsonObject): boolean {
    const { id, attempt, isBegun } = this.#latest;
    if (!isBegun || id === undefined) return false;
    return id !== textIn(start, "App ID") || attempt !== textIn(start, "App Attempt ID");
  }

  #settle(): void {
    if (this.#head.length === 0) return;
    const events = this.#head;
    this.#head = [];
    for (const event of events) this.#latest.apply(event);
  }
}
