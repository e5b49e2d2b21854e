import { defined } from "../../../base/assert.ts";
import type { AttemptKind } from "../../../model/attempt.ts";
import type { AttemptId, TaskId } from "../../../model/ids.ts";
import type { Why } from "../../../model/why.ts";
import type { SlotName } from "../../../run/job-plan.ts";
import type { NamedEnd } from "../../../run/run-event.ts";
import type { AttemptFacts } from "../../../run/run-result.ts";
import type { AttemptFailure, AttemptProgress, WorkResult } from "../messages.ts";
import type { EngineNode } from "./engine-node.ts";

/** A task as the master knows it. */
export interface EngineTask {
  readonly id: TaskId;
  /** `job/phase/index`. */
  readonly name: string;
  /** The kind of slot that it takes. */
  readonly slot: SlotName;
  readonly index: number;
  /** The kinds of slots that the tasks take whose outputs it reads. */
  readonly readsFrom: ReadonlySet<SlotName>;
  /** How many of its attempts were launched. */
  begun: number;
  /** What its first successful attempt has made. */
  result?: WorkResult;
  /** An attempt of it was running when a node's process ended by itself. */
  suspect: boolean;
}

/** An attempt that has not ended, as far as the core has been told. */
export interface LiveAttempt {
  readonly id: AttemptId;
  readonly name: string;
  readonly task: EngineTask;
  readonly node: EngineNode;
  readonly as: AttemptKind;
  readonly why: Why;
  readonly launchedAt: number;
  /** The core has asked for its end, for this reason. */
  killedFor?: Why;
  /** Its failure, which the core is about to hear of. */
  failure?: AttemptFailure;
  /** Its part of the output, which is in its place: the core is about to hear of its success. */
  part?: string;
  /** Why this host ends it, which the core is about to hear of. */
  hostReason?: Why;
  score: number;
  changedAt: number;
  /** What it was last seen to have done, and when that was last more than before. */
  seen: Pick<AttemptProgress, "stage" | "bytesRead" | "bytesWritten" | "records">;
  movedAt: number;
  /** It waits for what nothing is at work at, since then. */
  stalledAt: number | undefined;
  /** It takes CPU, as far as is known: it does not wait for map outputs. */
  working: boolean;
}

/** All attempts of the run: those that live, and what became of the others. */
export class Attempts {
  readonly #live = new Map<number, LiveAttempt>();
  readonly #ended = new Map<number, Ended>();

  add(attempt: LiveAttempt): void {
    this.#live.set(attempt.id, attempt);
  }

  find(id: number): LiveAttempt | undefined {
    return this.#live.get(id);
  }

  get(id: number): LiveAttempt {
    return defined(this.#live.get(id), `attempt ${id}`);
  }

  on(node: EngineNode): readonly LiveAttempt[] {
    return [...this.#live.values()].filter((attempt) => attempt.node === node);
  }

  get all(): Iterable<LiveAttempt> {
    return this.#live.values();
  }

  /** Where it runs, or ran. */
  nodeOf(id: number): EngineNode {
    const attempt = this.#live.get(id) ?? this.#ended.get(id);
    return defined(attempt, `attempt ${id}`).node;
  }

  end(attempt: LiveAttempt, end: NamedEnd, { endedAt, slotMs }: EndTimes): void {
    this.#live.delete(attempt.id);
    const { id, name, as, node, why, launchedAt } = attempt;
    const times = { launchedAt, endedAt, slotMs };
    this.#ended.set(id, {
      node,
      facts: { attempt: name, as, node: node.name, why, ...times, end },
    });
  }

  /** What became of them. */
  forget(which: (name: string) => boolean): void {
    for (const [id, { facts }] of this.#ended) if (which(facts.attempt)) this.#ended.delete(id);
  }

  /** In the order of launch. */
  get facts(): readonly AttemptFacts[] {
    return [...this.#ended].sort(([left], [right]) => left - right).map(([, { facts }]) => facts);
  }
}

interface Ended {
  readonly node: EngineNode;
  readonly facts: AttemptFacts;
}

export type EndTimes = Pick<AttemptFacts, "endedAt" | "slotMs">;
