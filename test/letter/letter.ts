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

/** What is to be done with a slot. */
export type Answer =
  /** The policy leaves the slot to what waits, or to the next job. */
  | { readonly do: "left" }
  | { readonly do: "nothing" }
  | { readonly do: "start"; readonly task: TaskBook }
  | { readonly do: "bind"; readonly request: RequestBook }
  | { readonly do: "copy"; readonly task: TaskBook }
  /** The attempt is killed, and its task begins again on the slot. */
  | { readonly do: "restart"; readonly attempt: AttemptBook };

/** What is to be done at a look, whatever slots are free. */
export type Ask =
  | { readonly ask: "request"; readonly task: TaskBook; readonly nodes: readonly number[] }
  | { readonly ask: "withdraw"; readonly request: RequestBook }
  | { readonly ask: "kill"; readonly attempt: AttemptBook };

/** One, or none; or several, where the letter leaves open which. */
export type Answers = Answer | readonly Answer[] | undefined;

/** One task that a heartbeat's answer contains. */
export interface Launch {
  readonly do: "start" | "copy";
  readonly task: TaskBook;
}

/** Who gets which slots of a node, where that is the policy: whole heartbeats are compared. */
export interface Heartbeats {
  begin(books: Books, node: NodeBook): void;
  /** The next task of the answer. Asked once for each, and once when there is no more. */
  next(books: Books): Launch | undefined;
  /** It was as expected, and the books know it. */
  launched(books: Books, attempt: AttemptBook): void;
  end(books: Books): void;
}

/** A policy's rules as its paper, or its source, has them. */
export interface Rules {
  /** Asked before a task that waits gets the slot. */
  contended?(books: Books, job: JobBook, slot: Slot): Answers;
  /** Asked where no task of the job waits that could have the slot. */
  idle?(books: Books, job: JobBook, slot: Slot): Answers;
  /** Asked at every event: answers undefined where it is not time for a look. */
  look?(books: Books): readonly Ask[] | undefined;
  /** In the place of `look`, where the letter leaves open when: whether these may be asked now. */
  mayAsk?(books: Books, ask: string): boolean;
  /** ... and what should have been killed by now. */
  overdue?(books: Books): readonly AttemptBook[];
  /** Whoever shares out whole heartbeats: no slot is offered alone then. */
  readonly heartbeats?: Heartbeats;
  /** Lets jobs in; asked after each event. */
  admit?(books: Books): void;
  /** Of the tasks that wait and may have the slot, the one that starts; Hadoop's if missing. */
  first?(books: Books, waiting: readonly TaskBook[], slot: Slot): TaskBook | undefined;
}

export type Params = { readonly [name: string]: number };

export interface Letter {
  readonly policy: string;
  /** As `--discipline` takes it. */
  readonly discipline: string;
  /** Drawn for a world; the names are those that `--set` takes. */
  draw(dice: Dice): Params;
  /** As `--set` takes them, of the seat `speculation` if not told; `name=value` if missing. */
  sets?(params: Params): readonly string[];
  rules(params: Params): Rules;
  /** Of the world's set-up: what the policy needs to have something to decide. */
  readonly world?: Wishes;
}

export function answerText(answer: Answer): string {
  if (answer.do === "nothing" || answer.do === "left") return "nothing";
  if (answer.do === "bind") return `bind request ${answer.request.id}`;
  if (answer.do === "restart") return `restart attempt ${answer.attempt.id}`;
  return `${answer.do} task ${answer.task.id}`;
}

export function askText(ask: Ask): string {
  if (ask.ask === "request") return `request task ${ask.task.id} on ${ask.nodes.join(" ")}`;
  if (ask.ask === "withdraw") return `withdraw request ${ask.request.id}`;
  return `kill attempt ${ask.attempt.id}`;
}
