/** A rule that a policy breaks, and the cure for its author. */
export class ConformanceError extends Error {
  override readonly name = "ConformanceError";
  readonly cure: string;

  constructor(what: string, cure: string, options?: ErrorOptions) {
    super(`${what}\n  cure: ${cure}`, options);
    this.cure = cure;
  }
}

export const MEMORY =
  "keep plain data (numbers, texts, Maps, Sets, lists and objects of these) in the memory, ids " +
  "rather than objects of the view; write it in `hears` and `scan` alone";

/** Claims of the core and of the worlds that a policy can break, each with a cure. */
const CURES: readonly (readonly [claim: RegExp, cure: string])[] = [
  [
    /a finished task is not launched|needs no copy/,
    "copy only tasks from `view.runningTasks(phase)`, which lists no finished ones",
  ],
  [
    /a copy runs beside another attempt/,
    'use `as: "speculative"` only for a task with a running attempt: `soleAttempt(view, task)`',
  ],
  [
    /an original comes first|follows a (failure|kill)|what is not lost is not recomputed/,
    'a copy beside a running attempt is `as: "speculative"`',
  ],
  [
    /not too many copies of one task/,
    "pass over tasks that have a copy: `soleAttempt(view, task)` is undefined for them",
  ],
  [
    /a copy runs on another node/,
    "pass over tasks that have run on the node: `view.hasRunOn(task, slot.node)`",
  ],
  [
    /jobs never ended/,
    "see that `jobs` lists every job and that `eligible` refuses no task for ever",
  ],
  [/^\(tested\): /, "the message names the hook and what it must return"],
  [/could not be cloned/, MEMORY],
  [/not iterable|reading 'length'/, "a hook returns a list of asks: `[]` for nothing"],
  [/a time left is a number/, "`timeLeft` may return Infinity, never NaN: divide by no zero"],
  [
    /too many steps/,
    "a `wake` in the near future after every `scan` never ends: look about once a second at most",
  ],
];

const ELSE =
  "the stack shows where the claim is made; docs/policies.md has the contract of each hook";

/** The cure for a message of the core or of a world. */
export const cureFor = (message: string): string =>
  CURES.find(([claim]) => claim.test(message))?.[1] ?? ELSE;
