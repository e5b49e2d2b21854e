import { type Profiler, Session } from "node:inspector";
import { setFlagsFromString } from "node:v8";

type Points = { readonly [path: string]: readonly number[] };

/** Tells which places of the source have run since the last question, by V8's own counts. */
export class Reached {
  readonly #session = new Session();
  /** The places of each file, each with its number over all files. */
  readonly #points: ReadonlyMap<string, readonly Point[]>;

  constructor(points: Points) {
    const byPath = new Map<string, readonly Point[]>();
    let number = 0;
    for (const [path, offsets] of Object.entries(points)) {
      byPath.set(
        path.replace(/\.ts$/, ".js"),
        offsets.map((offset) => ({ offset, number: number++ })),
      );
    }
    this.#points = byPath;
    this.#session.connect();
    this.#session.post("Profiler.enable");
    // V8 counts no call of optimized code that has no branches.
    for (const flag of ["--no-opt", "--no-maglev"]) setFlagsFromString(flag);
    this.#session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  }

  /** Asked once, when all modules have been loaded: the places that are in no function. */
  outside(): readonly number[] {
    return this.#scripts().flatMap(({ points, functions }) => {
      // The first function is the module itself.
      const ranges = functions.slice(1).map(({ ranges: [whole] }) => whole);
      return points
        .filter(({ offset }) => !ranges.some((range) => range !== undefined && has(range, offset)))
        .map(({ number }) => number);
    });
  }

  take(): readonly number[] {
    return this.#scripts().flatMap(({ points, functions }) => {
      // Ranges in others come after them: the last one that holds a place counts.
      const ranges = functions
        .flatMap((one) => one.ranges)
        .sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
      return points
        .filter(({ offset }) => (ranges.findLast((range) => has(range, offset))?.count ?? 0) > 0)
        .map(({ number }) => number);
    });
  }

  #scripts(): readonly Script[] {
    let result: readonly Profiler.ScriptCoverage[] = [];
    this.#session.post("Profiler.takePreciseCoverage", (error, taken) => {
      if (error !== null) throw error;
      result = taken.result;
    });
    return result.flatMap(({ functions, url }) => {
      const path = /\/\.letter\/(.*)$/.exec(url)?.[1];
      const points = path === undefined ? undefined : this.#points.get(path);
      return points === undefined ? [] : [{ functions, points }];
    });
  }
}

interface Point {
  readonly offset: number;
  readonly number: number;
}

interface Script {
  readonly points: readonly Point[];
  readonly functions: readonly Profiler.FunctionCoverage[];
}

const has = (range: Profiler.CoverageRange, offset: number): boolean =>
  range.startOffset <= offset && offset < range.endOffset;
