import type { Timeless } from "../../../base/without.ts";
import { createScheduler, type Scheduler, type Setup } from "../../../core/index.ts";
import type { Action } from "../../../model/action.ts";
import type { ClusterEvent } from "../../../model/event.ts";
import type { Fact } from "../../../model/fact.ts";
import { type Instant, instant } from "../../../model/ids.ts";
import type { View } from "../../../model/view.ts";
import type { JournalFile } from "./journal-file.ts";

/** An event without its time, which the driver's clock adds. */
type TimelessEvent = Timeless<ClusterEvent>;

/** Node's timers fire at once when asked to wait for longer than this. */
export const TIMER_MS_MAX = 2 ** 31 - 1;

/** Feeds the core one event at a time, in the order of time, and records each with its actions. */
export class Driver {
  readonly #scheduler: Scheduler;
  readonly #journal: JournalFile;
  readonly #clock: () => Instant;
  readonly #record: (fact: Fact) => void;
  readonly #carryOut: (action: Action) => void;
  readonly #queue: ((at: Instant) => TimelessEvent)[] = [];
  readonly #timers = new Set<NodeJS.Timeout>();
  #stepping = false;
  #stopped = false;

  /** InputError if the discipline needs a capability that this host lacks. */
  constructor(query: {
    readonly setup: Setup;
    readonly explain: boolean;
    readonly journal: JournalFile;
    readonly clock: () => Instant;
    /** Receives the facts of a step before any action of the step is carried out. */
    readonly record: (fact: Fact) => void;
    readonly carryOut: (action: Action) => void;
  }) {
    this.#scheduler = createScheduler(query.setup, { explain: query.explain, facts: true });
    this.#journal = query.journal;
    this.#clock = query.clock;
    this.#record = query.record;
    this.#carryOut = query.carryOut;
  }

  /** The first line that the journal would have if it were written now. */
  get header(): string {
    return this.#journal.header;
  }

  get view(): View {
    return this.#scheduler.view;
  }

  /** `event` may be a function of the time at which the event enters the core. */
  feed(event: TimelessEvent | ((at: Instant) => TimelessEvent)): void {
    this.#queue.push(typeof event === "function" ? event : () => event);
    if (this.#stepping || this.#stopped) return;
    this.#stepping = true;
    try {
      for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
        const at = this.#clock();
        this.#step({ at, ...next(at) });
      }
    } finally {
      this.#stepping = false;
    }
  }

  /** Takes a step of the journal again and returns its actions and its line. */
  again(event: ClusterEvent): { readonly actions: readonly Action[]; readonly line: string } {
    const { actions, facts } = this.#scheduler.step(event);
    for (const fact of facts) this.#record(fact);
    return { actions, line: this.#journal.again(event, actions) };
  }

  /** Wakes the core at `due`, never earlier. */
  wakeAt(due: Instant, guard: (act: () => void) => void): void {
    const waitMs = Math.min(Math.max(1, due - this.#clock()), TIMER_MS_MAX);
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (this.#clock() < due) this.wakeAt(instant(due), guard);
      else guard(() => this.feed({ kind: "woken" }));
    }, waitMs);
    this.#timers.add(timer);
  }

  stop(): void {
    this.#stopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #step(event: ClusterEvent): void {
    const { actions, facts } = this.#scheduler.step(event);
    this.#journal.step(event, actions);
    for (const fact of facts) this.#record(fact);
    for (const action of actions) this.#carryOut(action);
  }
}
