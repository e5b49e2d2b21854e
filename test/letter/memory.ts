/** A value at a moment. */
interface Version {
  readonly at: number;
  readonly value: unknown;
}

interface Entry {
  versions: Version[];
  workOut: () => unknown;
  /** The figure that goes into it, if that figure is cached on its own. */
  from: string | undefined;
  usedAt: number;
}

const FORGOTTEN_AFTER_MS = 5_000;
/** The most combinations of possibly old figures that are tried. */
const WAYS_MAX = 400;

/**
 * The figures that the set-up lets a scheduler cache: any figure may be as old as `every`, whenever
 * it was first requested. So an answer is right if it follows from figures that were each right at
 * some decision of that time; with 0, only from figures of this moment.
 */
export class Memory {
  readonly every: number;
  private readonly clock: { readonly now: number };
  private readonly entries = new Map<string, Entry>();
  private readonly used = new Set<string>();
  private choice: ReadonlyMap<string, Version> | undefined;

  constructor(every: number, clock: { readonly now: number }) {
    this.every = every;
    this.clock = clock;
  }

  held<T>(key: string, workOut: () => T, from?: string): T {
    if (this.every === 0) return workOut();
    this.used.add(key);
    const known = this.entries.get(key);
    const version = this.choice?.get(key) ?? known?.versions.at(-1);
    if (known !== undefined && version !== undefined) {
      known.usedAt = this.clock.now;
      return version.value as T;
    }
    const value = workOut();
    const versions = [{ at: this.clock.now, value }];
    this.entries.set(key, { versions, workOut, from, usedAt: this.clock.now });
    return value;
  }

  /** All right values of `answer`. */
  everyWay(answer: () => readonly string[]): ReadonlySet<string> {
    if (this.every === 0) return new Set(answer());
    this.refresh();
    this.used.clear();
    const answers = new Set(answer());
    // Another version of one figure may lead to figures that were not requested before.
    for (let known = -1; known < this.used.size; ) {
      known = this.used.size;
      for (const choice of this.choices()) {
        this.choice = choice;
        for (const one of answer()) answers.add(one);
      }
    }
    this.choice = undefined;
    return answers;
  }

  private refresh(): void {
    const { now } = this.clock;
    for (const [key, entry] of this.entries) {
      if (now - entry.usedAt > FORGOTTEN_AFTER_MS) {
        this.entries.delete(key);
        continue;
      }
      const versions = entry.versions.filter((version) => now - version.at < this.every);
      for (const value of this.valuesOf(entry)) {
        const old = versions.findIndex((version) => same(version.value, value));
        if (old >= 0) versions.splice(old, 1);
        versions.push({ at: now, value });
      }
      entry.versions = versions;
    }
  }

  /** The value now, for each version of its inputs, the newest last. */
  private valuesOf({ workOut, from }: Entry): unknown[] {
    const source = from === undefined ? undefined : this.entries.get(from);
    if (from === undefined || source === undefined) return [workOut()];
    const values = source.versions.map((version) => {
      this.choice = new Map([[from, version]]);
      return workOut();
    });
    this.choice = undefined;
    return values;
  }

  private choices(): ReadonlyMap<string, Version>[] {
    let ways: Map<string, Version>[] = [new Map()];
    for (const key of this.used) {
      const versions = this.entries.get(key)?.versions ?? [];
      if (versions.length < 2 || ways.length * versions.length > WAYS_MAX) continue;
      ways = ways.flatMap((way) => versions.map((version) => new Map(way).set(key, version)));
    }
    return ways;
  }
}

function same(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b;
  return a.length === b.length && a.every((item, i) => item === b[i]);
}
