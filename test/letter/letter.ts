import type {
  AttemptBook,
  Books,
  JobBook,
  Kind,
  NodeBook,
  RequestBook,
  TaskBook,
} from "./books.ts";
import type { Dice } from "./dice.ts";
import type { Wishes } from "./world.ts";

export interface Slot {
  readonly node: NodeBook;
  readonly kind: Kind;
}

/** The possible uses of a slot. */
export type Answer =
  /** The policy leaves the slot to waiting tasks, or to the next job. */
  | { readonly do: "left" }
  | { readonly do: "nothing" }
  | { readonly do: "start"; readonly task: TaskBook }
  | { readonly do: "bind"; readonly request: RequestBook }
  | { readonly do: "copy"; readonly task: TaskBook }
  /** The attempt is killed, and its task begins again on the slot. */
  | { readonly do: "restart"; readonly attempt: AttemptBook }
  /** The attempt is killed, and its task waits again; another one that waits begins on the slot. */
  | { readonly do: "queue"; readonly attempt: AttemptBook; readonly task?: TaskBook };

/** The actions at a look, whatever slots are free. */
export type Ask =
  | {
      readonly ask: "request";
      readonly task: TaskBook;
      /** In the order in which they are asked, where the policy ranks them. */
      readonly nodes: readonly number[];
      /** What the copy is worth by the paper: the `valueMs` of the reason. */
      readonly value?: number;
    }
  | { readonly ask: "withdraw"; readonly request: RequestBook }
  | { readonly ask: "kill"; readonly attempt: AttemptBook };

/** One, or none; several where the letter allows a choice. */
export type Answers = Answer | readonly Answer[] | undefined;

/** One task that a heartbeat's answer contains. */
export interface Launch {
  readonly do: "start" | "copy";
  readonly task: TaskBook;
}

/** The assignment of a node's slots, where the policy decides it: whole heartbeats are compared. */
export interface Heartbeats {
  begin(books: Books, node: NodeBook): void;
  /** The next task of the answer. Called once for each task, and once at the end. */
  next(books: Books): Launch | undefined;
  /** The answer was as expected, and the books have recorded it. */
  launched(books: Books, attempt: AttemptBook): void;
  end(books: Books): void;
}

/** A policy's rules, from its paper or its source. */
export interface Rules {
  /** Called before a waiting task gets the slot. */
  contended?(books: Books, job: JobBook, slot: Slot): Answers;
  /** Called where no waiting task of the job could take the slot. */
  idle?(books: Books, job: JobBook, slot: Slot): Answers;
  /** Called at every event: undefined if it is not time for a look. */
  look?(books: Books): readonly Ask[] | undefined;
  /** When the next look is due though nothing happens: the scheduler must wake for it. */
  dueAt?(books: Books): number | undefined;
  /** Replaces `look` where the letter leaves the time open: whether these asks are allowed now. */
  mayAsk?(books: Books, ask: string): boolean;
  /** ... and what should have been killed by now. */
  overdue?(books: Books): readonly AttemptBook[];
  /** For policies that assign whole heartbeats: no single slot is offered. */
  readonly heartbeats?: Heartbeats;
  /** Admits jobs; called after each event. */
  admit?(books: Books): void;
  /**
   * Chooses among the waiting tasks that may take the slot; Hadoop's order if absent. Several where
   * the letter leaves a choice.
   */
  first?(books: Books, waiting: readonly TaskBook[], slot: Slot): readonly TaskBook[];
}

export type Params = { readonly [name: string]: number };

export interface Letter {
  readonly policy: string;
  /** As `--discipline` takes it. */
  readonly discipline: string;
  /** Drawn for a world; the names are those that `--set` takes. */
  draw(dice: Dice): Params;
  /**
   * The paper's or the source's own values. The scheduler is not told a drawn value that is among
   * them, since it must be the policy's default.
   */
  readonly defaults?: Params;
  /** As `--set` takes them, of the seat `speculation` if not told; `name=value` if missing. */
  sets?(params: Params): readonly string[];
  rules(params: Params): Rules;
  /**
   * What the policy does, as the verb and the rule of each action: `copy longest-time-left`. All of
   * it must happen in the worlds, and nothing else may.
   */
  readonly acts: readonly string[];
  /** Parts of the world's set-up that the policy needs to have decisions. */
  readonly world?: Wishes;
}

export function answerText(answer: Answer): string {
  if (answer.do === "nothing" || answer.do === "left") return "nothing";
  if (answer.do === "bind") return `bind request ${answer.request.id}`;
  if (answer.do === "restart") return `restart attempt ${answer.attempt.id}`;
  if (answer.do === "queue") {
    const next = answer.task === undefined ? "" : `; start task ${answer.task.id}`;
    return `queue attempt ${answer.attempt.id}${next}`;
  }
  return `${answer.do} task ${answer.task.id}`;
}

export function askText(ask: Ask): string {
  if (ask.ask === "request") return `request task ${ask.task.id} on ${ask.nodes.join(" ")}`;
  if (ask.ask === "withdraw") return `withdraw request ${ask.request.id}`;
  return `kill attempt ${ask.attempt.id}`;
}
