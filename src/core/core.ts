import type { Action, Notice } from "../model/action.ts";
import type { Fact } from "../model/fact.ts";
import type { Instant } from "../model/ids.ts";
import type { Numbers, Why } from "../model/why.ts";
import type { Seats } from "./seats.ts";
import type { State } from "./state.ts";
import type { CoreView } from "./view.ts";
import type { Wakes } from "./wakes.ts";

const NO_ACTIONS: readonly Action[] = [];
const NO_FACTS: readonly Fact[] = [];

/** The state and services that the parts of the core share. */
export class Core {
  readonly state: State;
  readonly view: CoreView;
  readonly seats: Seats;
  readonly wakes: Wakes;
  readonly explains: boolean;
  /** Whether the caller wants facts; no fact is built otherwise. */
  readonly records: boolean;
  /** Actions of the present step. Most steps have none or one, and allocate nothing larger. */
  actions: readonly Action[] = NO_ACTIONS;
  #open: Action[] = [];
  /** Facts of the present step. */
  facts: readonly Fact[] = NO_FACTS;
  #recorded: Fact[] = [];
  /** Notices of jobs that ended in this step, not yet given to the policies. */
  endings: Notice[] = [];

  constructor(parts: Pick<Core, "state" | "view" | "seats" | "wakes" | "explains" | "records">) {
    this.state = parts.state;
    this.view = parts.view;
    this.seats = parts.seats;
    this.wakes = parts.wakes;
    this.explains = parts.explains;
    this.records = parts.records;
  }

  beginStep(): void {
    this.actions = NO_ACTIONS;
    this.facts = NO_FACTS;
  }

  get now(): Instant {
    return this.state.now;
  }

  emit(action: Action): void {
    if (this.actions === NO_ACTIONS) this.#open = [action];
    else this.#open.push(action);
    this.actions = this.#open;
  }

  /** Call only where `records` is set. */
  record(fact: Fact): void {
    if (this.facts === NO_FACTS) {
      this.#recorded = [];
      this.facts = this.#recorded;
    }
    this.#recorded.push(fact);
  }

  notify(notice: Notice): void {
    this.seats.record(notice);
  }

  /** The reason of an action; has numbers only if the scheduler explains. */
  why(plain: Why, numbers: () => Numbers): Why {
    return this.explains ? { rule: plain.rule, numbers: numbers() } : plain;
  }

  pass(rule: string, numbers: () => Numbers): void {
    if (this.explains) this.emit({ kind: "pass", why: { rule, numbers: numbers() } });
  }
}
