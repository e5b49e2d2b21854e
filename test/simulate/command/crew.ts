import { Worker } from "node:worker_threads";
import { type Answer, NO_WORLD, type Order } from "./order.ts";

/** The number of worlds that a thread runs before it reports. */
const PORTION = 25;

export interface Crew {
  readonly first: number;
  readonly count: number;
  readonly threads: number;
  /** One world in this many has its journal replayed. */
  readonly replayEvery: number;
  /** A world that runs for this many seconds is stuck. */
  readonly stuckAfterS: number;
}

/** The work done. All worlds below `next` have been run. */
export interface Done {
  readonly worlds: number;
  readonly steps: number;
  readonly next: number;
}

export type Outcome =
  | { readonly kind: "kept" }
  | { readonly kind: "broken"; readonly seed: number; readonly message: string }
  | { readonly kind: "stuck"; readonly seed: number };

/** A world that has run for this long is named when the command is stopped. */
const LONG_S = 10;

/** A thread, with the world that it runs and the seconds for which it has run it. */
interface Watched {
  readonly worker: Worker;
  readonly running: Float64Array;
  seed: number;
  seconds: number;
}

/** Runs the worlds on several threads, until all have been run or one has broken. */
export class Worlds {
  readonly #crew: Crew;
  readonly #onDone: (done: Done) => void;
  readonly #open = new Set<number>();
  #given: number;
  #worlds = 0;
  #steps = 0;
  #watched: readonly Watched[] = [];

  constructor(crew: Crew, onDone: (done: Done) => void) {
    this.#crew = crew;
    this.#onDone = onDone;
    this.#given = crew.first;
  }

  get done(): Done {
    const next = Math.min(this.#given, ...this.#open);
    return { worlds: this.#worlds, steps: this.#steps, next };
  }

  /** The worlds that have run for a long time, with their seconds: a sound one takes one or two. */
  get long(): readonly Pick<Watched, "seed" | "seconds">[] {
    return this.#watched.filter(({ seconds }) => seconds >= LONG_S);
  }

  async run(): Promise<Outcome> {
    const { threads, count } = this.#crew;
    const size = Math.min(threads, Math.ceil(count / PORTION));
    this.#watched = Array.from({ length: size }, startWorker);
    let clock: NodeJS.Timeout | undefined;
    const stuck = new Promise<Outcome>((resolve) => {
      clock = setInterval(() => {
        const seed = this.#tick();
        if (seed !== undefined) resolve({ kind: "stuck", seed });
      }, 1_000);
    });
    try {
      const outcomes = this.#watched.map(({ worker }) => this.#workOff(worker));
      const broken = outcomes.map((outcome) => outcome.then(untilBroken));
      return await Promise.race([Promise.all(outcomes).then(() => KEPT), ...broken, stuck]);
    } finally {
      clearInterval(clock);
      await Promise.all(this.#watched.map(({ worker }) => worker.terminate()));
    }
  }

  /** Returns the seed of a world that is stuck. Seconds count only while this process runs. */
  #tick(): number | undefined {
    for (const watched of this.#watched) {
      const seed = watched.running[0]!;
      watched.seconds = seed !== NO_WORLD && seed === watched.seed ? watched.seconds + 1 : 0;
      watched.seed = seed;
    }
    return this.#watched.find(({ seconds }) => seconds >= this.#crew.stuckAfterS)?.seed;
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

/** The world without everything that it does not need in order to break. */
export async function shrunk(
  seed: number,
  forMs: number,
): Promise<Extract<Answer, { kind: "shrunk" }>> {
  const { worker } = startWorker();
  try {
    const answer = await ask(worker, { kind: "shrink", seed, forMs });
    if (answer.kind !== "shrunk") throw new Error("a thread answers another question");
    return answer;
  } finally {
    await worker.terminate();
  }
}

function startWorker(): Watched {
  const running = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT)).fill(
    NO_WORLD,
  );
  const worker = new Worker(new URL("./worker.js", import.meta.url), { workerData: running });
  return { worker, running, seed: NO_WORLD, seconds: 0 };
}

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
