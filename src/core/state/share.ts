import type { AttemptKind } from "../../model/attempt.ts";

/** The running and waiting tasks of one slot kind. */
export class SlotUse {
  slots = 0;
  waiting = 0;
  /** Tasks that are not done, of phases that are ready and whose jobs are admitted and live. */
  remaining = 0;
  running = 0;
  /** Attempts that hold a slot, by why they were launched. */
  readonly runningAs: Record<AttemptKind, number> = {
    original: 0,
    speculative: 0,
    restart: 0,
    retry: 0,
    rerun: 0,
    recompute: 0,
  };
}

/** The slots and tasks of one pool, user or job, per kind. */
export class Share {
  readonly running: number[];
  readonly waiting: number[];
  /** Jobs in memory, ended ones with dying attempts too; a share without jobs is dropped. */
  jobs = 0;

  constructor(kinds: number) {
    this.running = new Array<number>(kinds).fill(0);
    this.waiting = new Array<number>(kinds).fill(0);
  }
}
