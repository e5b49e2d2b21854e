import { type AttemptBook, type Books, type JobBook, type Kind, MAP, REDUCE } from "./books.ts";
import { everyLook } from "./every-look.ts";
import { computeFairShares, type Schedulable } from "./fair-algorithms.ts";
import type { FairPools } from "./fair-pools.ts";
import type { Ask, Rules } from "./letter.ts";

const KINDS = [MAP, REDUCE] as const;

/** The times at which a pool last had its minimum share, and half of its fair share. */
interface Had {
  minShareAt: number;
  halfShareAt: number;
}

/** A pool, as updatePreemptionVariables and preemptTasksIfNecessary see it. */
interface Pool extends Schedulable {
  readonly fairShare: number;
  readonly had: Had;
}

/** Hadoop 1.2.1, FairScheduler: pre-emption. */
export class FairPreemption {
  readonly isOn: boolean;
  private readonly pools: FairPools;
  private readonly had = new Map<string, Had>();
  private checkedAt = 0;
  private readonly looks: Rules;

  constructor(pools: FairPools) {
    this.pools = pools;
    this.isOn = pools.number("preemption", 0) === 1;
    this.looks = everyLook(500, (books) => this.update(books));
  }

  look(books: Books): readonly Ask[] | undefined {
    if (!this.isOn) return undefined;
    const asks = this.looks.look?.(books);
    // Most looks only record the times.
    return asks === undefined || asks.length === 0 ? undefined : asks;
  }

  dueAt = (books: Books): number | undefined => (this.isOn ? this.looks.dueAt?.(books) : undefined);

  /** getAllowedLocalityLevel: jobs of a starving pool do not wait for their data. */
  isStarving(books: Books, job: JobBook): boolean {
    if (!this.isOn) return false;
    const name = this.pools.poolOf(job);
    return this.isOverdue(books, name, this.hadOf(books, name, MAP)).some((is) => is);
  }

  /** A pool begins with its first job. */
  enter(books: Books): void {
    if (!this.isOn) return;
    const names = this.pools.allNames(books);
    for (const key of this.had.keys()) {
      if (!names.includes(key.slice(2))) this.had.delete(key);
    }
    for (const name of names) for (const kind of KINDS) this.hadOf(books, name, kind);
  }

  private update(books: Books): readonly Ask[] {
    const isDue = books.now - this.checkedAt >= this.pools.number("preemptionIntervalMs", 15_000);
    if (isDue) this.checkedAt = books.now;
    return KINDS.flatMap((kind) => {
      const pools = this.poolsOf(books, kind);
      // updatePreemptionVariables
      for (const { had, minShare, demand, running, fairShare } of pools) {
        if (running >= Math.min(minShare, demand)) had.minShareAt = books.now;
        if (running >= Math.floor(Math.min(fairShare / 2, demand))) had.halfShareAt = books.now;
      }
      return isDue ? this.preempt(books, kind, pools) : [];
    });
  }

  private poolsOf(books: Books, kind: Kind): Pool[] {
    const names = this.pools.allNames(books);
    const pools = names.map((name) => this.pools.pool(books, name, kind));
    const shares = computeFairShares(pools, books.slots(kind));
    return pools.map((pool, at) => ({
      ...{ ...pool, fairShare: shares[at] ?? 0, had: this.hadOf(books, pool.name, kind) },
    }));
  }

  /** preemptTasks: kills the latest launches of pools over their share, while they are over it. */
  private preempt(books: Books, kind: Kind, pools: readonly Pool[]): readonly Ask[] {
    let due = pools.reduce((total, pool) => total + this.tasksToPreempt(books, pool), 0);
    const left = new Map(pools.map((pool) => [pool.name, pool.running]));
    const victims = books.holding().filter((one) => this.is(one, kind));
    const asks: Ask[] = [];
    for (const attempt of victims.sort((a, b) => b.startedAt - a.startedAt || b.id - a.id)) {
      const pool = pools.find(({ name }) => name === this.pools.poolOf(attempt.task.phase.job));
      const running = left.get(pool?.name ?? "") ?? 0;
      if (pool === undefined || due === 0 || running <= pool.fairShare) continue;
      // An attempt that is already being killed is killed again, without effect.
      if (attempt.state === "running") asks.push({ ask: "kill", attempt });
      left.set(pool.name, running - 1);
      due--;
    }
    return asks;
  }

  private is = ({ task }: AttemptBook, kind: Kind): boolean =>
    task.phase.kind === kind && !task.phase.job.ended;

  private tasksToPreempt(books: Books, pool: Pool): number {
    const { name, had, minShare, fairShare, demand, running } = pool;
    const [ofMin, ofFair] = this.isOverdue(books, name, had);
    const toMin = ofMin ? Math.min(minShare, demand) - running : 0;
    const toFair = ofFair ? Math.trunc(Math.min(fairShare, demand)) - running : 0;
    return Math.max(0, toMin, toFair);
  }

  private isOverdue({ now }: Books, pool: string, had: Had): readonly [boolean, boolean] {
    const ofAll = this.pools.number("minSharePreemptionTimeoutMs", Infinity);
    const ofMin = this.pools.number(`${pool}.minSharePreemptionTimeoutMs`, ofAll);
    const ofFair = this.pools.number("fairSharePreemptionTimeoutMs", Infinity);
    return [now - had.minShareAt > ofMin, now - had.halfShareAt > ofFair];
  }

  private hadOf({ now }: Books, pool: string, kind: Kind): Had {
    const had = this.had.get(`${kind} ${pool}`) ?? { minShareAt: now, halfShareAt: now };
    this.had.set(`${kind} ${pool}`, had);
    return had;
  }
}
