import { Worker } from "node:worker_threads";
import type { Answer, Order } from "./worker.ts";

/** Worlds that a thread runs before it reports. */
const PORTION = 25;

export interface Crew {
  readonly first: number;
  readonly count: number;
  readonly threads: number;
  /** Each so many worlds have their journals replayed. */
  readonly replayEvery: number;
}

/** What has been done. All worlds below `next` have been run. */
export interface Done {
  readonly worlds: number;
  readonly steps: number;
  readonly next: number;
}

export type Outcome =
  | { readonly kind: "kept" }
  | { readonly kind: "broken"; readonly seed: number; readonly message: string };

/** Runs the worlds on several threads, until all have been run or one has broken. */
export class Worlds {
  readonly #crew: Crew;
  readonly #onDone: (done: Done) => void;
  readonly #open = new Set<number>();
  #given: number;
  #worlds = 0;
  #steps = 0;

  constructor(crew: Crew, onDone: (done: Done) => void) {
    this.#crew = crew;
    this.#onDone = onDone;
    this.#given = crew.first;
  }

  get done(): Done {
    const next = Math.min(this.#given, ...this.#open);
    return { worlds: this.#worlds, steps: this.#steps, next };
  }

  async run(): Promise<Outcome> {
    const { threads, count } = this.#crew;
    const size = Math.min(threads, Math.ceil(count / PORTION));
    const workers = Array.from({ length: size }, startWorker);
    try {
      const outcomes = workers.map((worker) => this.#workOff(worker));
      const broken = outcomes.map((outcome) => outcome.then(untilBroken));
      return await Promise.race([Promise.all(outcomes).then(() => KEPT), ...broken]);
    } finally {
      await Promise.all(workers.map((worker) => worker.terminate()));
    }
  }

  #next(): Extract<Order, { kind: "run" }> | undefined {
    const { first, count, replayEvery } = this.#crew;
    const left = first + count - this.#given;
    if (left <= 0) return undefined;
    const portion = Math.min(PORTION, left);
    const order = { kind: "run", first: this.#given, count: portion, every: replayEvery } as const;
    this.#open.add(order.first);
    this.#given += portion;
    return order;
  }

  async #workOff(worker: Worker): Promise<Outcome> {
    for (let order = this.#next(); order !== undefined; order = this.#next()) {
      const answer = await ask(worker, order);
      if (answer.kind === "broken") return answer;
      if (answer.kind !== "kept") throw new Error("a thread answers another question");
      this.#open.delete(answer.first);
      this.#worlds += answer.count;
      this.#steps += answer.steps;
      this.#onDone(this.done);
    }
    return KEPT;
  }
}

const KEPT = { kind: "kept" } as const;

/** Resolves for a broken world only. */
const untilBroken = (outcome: Outcome): Outcome | Promise<never> =>
  outcome.kind === "broken" ? outcome : new Promise(() => {});

/** The world without whatever it breaks without as well. */
export async function shrunk(
  seed: number,
  forMs: number,
): Promise<Extract<Answer, { kind: "shrunk" }>> {
  const worker = startWorker();
  try {
    const answer = await ask(worker, { kind: "shrink", seed, forMs });
    if (answer.kind !== "shrunk") throw new Error("a thread answers another question");
    return answer;
  } finally {
    await worker.terminate();
  }
}

const startWorker = (): Worker => new Worker(new URL("./worker.js", import.meta.url));

function ask(worker: Worker, order: Order): Promise<Answer> {
  return new Promise((resolve, reject) => {
    worker.once("error", reject);
    worker.once("message", (answer: Answer) => {
      worker.off("error", reject);
      resolve(answer);
    });
    worker.postMessage(order);
  });
}
