import { defined } from "../../../base/assert.ts";
import type { AttemptKind } from "../../../model/attempt.ts";
import type { AttemptId, TaskId } from "../../../model/ids.ts";
import type { Why } from "../../../model/why.ts";
import type { SlotName } from "../../../run/job-plan.ts";
import type { AttemptFacts } from "../../../run/run-result.ts";
import type { AttemptFailure, AttemptProgress, WorkResult } from "../messages.ts";
import type { EngineNode } from "./engine-node.ts";

/** A task, with the master's own records of it. */
export interface EngineTask {
  readonly id: TaskId;
  /** The task's name, `job/phase/index`. */
  readonly name: string;
  /** The kind of slot that the task takes. */
  readonly slot: SlotName;
  readonly index: number;
  readonly phase: { readonly name: string };
  /** The kinds of slots that the source tasks of this task take. */
  readonly readsFrom: ReadonlySet<SlotName>;
  /** The number of attempts launched so far. */
  begun: number;
  /** The result of the first attempt that succeeded. */
  result?: WorkResult;
  /** An attempt of this task was running when a node's process ended by itself. */
  suspect: boolean;
}

/** An attempt whose end the core has not seen yet. */
export interface LiveAttempt {
  readonly id: AttemptId;
  readonly name: string;
  readonly task: EngineTask;
  readonly node: EngineNode;
  readonly as: AttemptKind;
  readonly why: Why;
  readonly launchedAt: number;
  /** Why the core has asked to kill the attempt. */
  killedFor?: Why;
  /** The attempt's failure, before the core learns of it. */
  failure?: AttemptFailure;
  /** The accepted part of the output, before the core learns of the success. */
  part?: string;
  /** Why this host ends the attempt, before the core learns of it. */
  hostReason?: Why;
  score: number;
  changedAt: number;
  /** The progress at the last report, and the time at which progress last grew. */
  seen: Pick<AttemptProgress, "stage" | "bytesRead" | "bytesWritten" | "records">;
  movedAt: number;
  /** The time since which the attempt has waited for outputs that nothing is making. */
  stalledAt: number | undefined;
  /** Whether the attempt takes CPU, as far as is known, rather than waiting for map outputs. */
  working: boolean;
}

/** All attempts of the run: the live ones, and how the others ended. */
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

  /** The node on which the attempt runs or ran. */
  nodeOf(id: number): EngineNode {
    const attempt = this.#live.get(id) ?? this.#ended.get(id);
    return defined(attempt, `attempt ${id}`).node;
  }

  /** The attempt if it has succeeded; undefined also if it is forgotten. */
  findSucceeded(id: number): AttemptFacts | undefined {
    const facts = this.#ended.get(id)?.facts;
    return facts?.end.kind === "succeeded" ? facts : undefined;
  }

  end(attempt: LiveAttempt, ending: Ending): void {
    this.#live.delete(attempt.id);
    this.#ended.set(attempt.id, { node: attempt.node, facts: factsOf(attempt, ending) });
  }

  /** Forgets the ended attempts whose names match. */
  forget(which: (name: string) => boolean): void {
    for (const [id, { facts }] of this.#ended) if (which(facts.attempt)) this.#ended.delete(id);
  }

  /** All attempts in the order of launch, the live ones with this ending. */
  facts(endingOf: (live: LiveAttempt) => Ending): readonly AttemptFacts[] {
    const ended = Array.from(this.#ended, ([id, { facts }]) => ({ id, facts }));
    const open = Array.from(this.#live.values(), (live) => {
      return { id: live.id, facts: factsOf(live, endingOf(live)) };
    });
    return [...ended, ...open].sort((a, b) => a.id - b.id).map(({ facts }) => facts);
  }
}

const factsOf = (
  { name, task, as, node, why, launchedAt }: LiveAttempt,
  { end, endedAt, slotMs }: Ending,
): AttemptFacts => ({
  ...{ attempt: name, task: task.name, phase: task.phase.name, as, node: node.name, why },
  ...{ launchedAt, endedAt, slotMs, end },
});

interface Ended {
  readonly node: EngineNode;
  readonly facts: AttemptFacts;
}

export type Ending = Pick<AttemptFacts, "end" | "endedAt" | "slotMs">;
