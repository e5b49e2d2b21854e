import { describe, expect, test } from "vitest";
import { defineFlow, type Flow, isFlow } from "./flow.ts";
import { count, sum } from "./fold.ts";
import { csv, text } from "./input.ts";
import { words } from "./operator.ts";
import { tsv } from "./output.ts";
import { allowsCopies, type PhaseProgram, readerOf } from "./program.ts";

/** `name: reads steps -> writes`, a line for each phase. */
function shown(flow: Flow): readonly string[] {
  const { program } = flow;
  return program.phases.map((phase, number) => {
    const steps = phase.steps.map(({ kind }) => ` ${kind}`).join("");
    return `${phase.name}: ${readsOf(phase)}${steps} -> ${writesOf(phase, number)}`;
  });
  function readsOf({ reads }: PhaseProgram): string {
    if (reads.kind === "input") return reads.name;
    if (reads.kind === "dataset") return `[${reads.dataset}]`;
    const sides = reads.sides.map((side) => side.map((n) => program.phases[n]?.name).join("+"));
    return `${reads.group.kind}(${sides.join(", ")})`;
  }
  function writesOf({ writes }: PhaseProgram, number: number): string {
    if (writes.kind === "shuffle") {
      return `${writes.partition.kind} ${program.phases[readerOf(program, number)]?.name}`;
    }
    return writes.kind === "dataset"
      ? `[${writes.dataset}]`
      : (program.outputs[writes.output]?.name ?? "");
  }
}

/** Phases by name: a job's as one text, a loop's in brackets. */
function sections({ program }: Flow): readonly string[] {
  const named = (phases: readonly number[]): string =>
    phases.map((number) => program.phases[number]?.name).join(" ");
  return program.sections.map((section) =>
    section.kind === "job" ? named(section.phases) : `(${section.jobs.map(named).join("; ")})`,
  );
}

/** A function for `mapAsync`. */
const look = async (line: string): Promise<string> => line;
const people = csv("people.csv", { columns: ["name", "town"] });
const towns = csv("towns.csv", { columns: ["town", "country"] });

describe("a flow's phases", () => {
  test("narrow steps join the step before them, wide ones are separate phases", () => {
    const flow = defineFlow("words", (f) => {
      f.read("lines", text())
        .words()
        .keyBy()
        .fold("counts", count())
        .filter(([, n]) => n > 1)
        .write(tsv());
    });
    expect(shown(flow)).toEqual([
      "lines: lines words pair -> hash counts",
      "counts: fold(lines) filter -> output",
    ]);
    expect(sections(flow)).toEqual(["lines counts"]);
    expect(isFlow(flow)).toBe(true);
  });

  test("a union's branches are phases that write into one shuffle", () => {
    const flow = defineFlow("both", (f) => {
      const upper = f.read("a", text()).map((line) => line.toUpperCase());
      upper.union(f.read("b", text())).keyBy().fold("counts", count()).write(tsv());
    });
    expect(shown(flow)).toEqual([
      "a: a map pair -> hash counts",
      "b: b pair -> hash counts",
      "counts: fold(a+b) -> output",
    ]);
  });

  test("a shuffle's result is kept for two readers, a file is read again", () => {
    const flow = defineFlow("twice", (f) => {
      const lines = f.read("lines", text());
      const counts = lines.keyBy().fold("counts", count());
      counts.write(tsv(), "counts");
      counts
        .map(([, n]) => n)
        .total("all", sum())
        .write(tsv(), "all");
      lines.filter((line) => line === "").write(text(), "empty");
    });
    expect(shown(flow)).toEqual([
      "lines: lines pair -> hash counts",
      "counts: fold(lines) -> [0]",
      "write counts: [0] -> counts",
      "all: read counts: [0] map pair -> hash all",
      "all: fold(all: read counts) -> all",
      "write empty: lines filter -> empty",
    ]);
    expect(sections(flow)).toEqual([
      "lines counts write empty",
      "write counts all: read counts all",
    ]);
  });

  test("a join has two sides, or a table that is kept for every task", () => {
    const join = (by: "shuffle" | "broadcast"): Flow =>
      defineFlow("joined", (f) => {
        const right = f.read("towns", towns).keyBy("town", "country");
        f.read("people", people).keyBy("town").join("home", right, { by }).write(tsv());
      });
    expect(shown(join("shuffle"))).toEqual([
      "people: people pair -> hash home",
      "towns: towns pair -> hash home",
      "home: join(people, towns) -> output",
    ]);
    expect(shown(join("broadcast"))).toEqual([
      "towns: towns pair -> [0]",
      "people: people pair lookup -> output",
    ]);
    expect(sections(join("broadcast"))).toEqual(["towns", "people"]);
    expect(join("broadcast").program.phases[1]?.broadcasts).toEqual([0]);
  });

  test("calls join the steps around them, before a shuffle", () => {
    const flow = defineFlow("calls", (f) => {
      f.read("lines", text())
        .words()
        .mapAsync(look)
        .filter((line) => line !== "")
        .mapAsync(look)
        .keyBy()
        .fold("counts", count())
        .write(tsv());
    });
    expect(shown(flow)).toEqual([
      "lines: lines words map-async filter map-async pair -> hash counts",
      "counts: fold(lines) -> output",
    ]);
  });

  test("calls after a shuffle are a phase of their own, which reads kept records", () => {
    const flow = defineFlow("calls", (f) => {
      const towns = f.read("towns", text()).keyBy();
      f.read("lines", text())
        .keyBy()
        .fold("counts", count())
        .join("table", towns, { by: "broadcast" })
        .map(([line]) => line)
        .mapAsync(look)
        .map((line) => line)
        .mapAsync(look)
        .write(tsv());
    });
    expect(shown(flow)).toEqual([
      "towns: towns pair -> [0]",
      "lines: lines pair -> hash counts",
      "counts: fold(lines) lookup map -> [1]",
      "write counts: [1] map-async map map-async -> output",
    ]);
    expect(sections(flow)).toEqual(["towns", "lines counts", "write counts"]);
  });

  test("results of calls are kept for two readers, and for a sample: no call is repeated", () => {
    const flow = defineFlow("calls", (f) => {
      const found = f.read("lines", text()).mapAsync(look);
      const long = found.filter((line) => line.length > 9);
      long.sortBy("sorted").write(text(), "sorted");
      long.union(found).write(text(), "all");
    });
    expect(shown(flow)).toEqual([
      "lines: lines map-async -> [0]",
      "sorted: sample: [0] filter pair map -> [1]",
      "sorted: read lines: [0] filter pair -> range sorted",
      "sorted: each(sorted: read lines) -> sorted",
      "write lines: [0] filter -> all",
      "write lines 2: [0] -> all",
    ]);
    const sampled = defineFlow("sampled", (f) => {
      f.read("lines", text()).mapAsync(look).sortBy("sorted").write(text());
    });
    const calls = shown(sampled).filter((phase) => phase.includes("map-async"));
    expect(calls).toEqual(["lines: lines map-async pair -> [0]"]);
  });

  test("results of calls that must not be copied are kept: no reduce is in their job", () => {
    const flow = defineFlow("effects", (f) => {
      f.read("lines", text())
        .mapAsync(look, { speculate: false })
        .keyBy()
        .fold("counts", count())
        .write(tsv());
    });
    expect(shown(flow)).toEqual([
      "lines: lines map-async pair -> [0]",
      "counts: read lines: [0] -> hash counts",
      "counts: fold(counts: read lines) -> output",
    ]);
    const { program } = flow;
    expect(program.phases.map((phase) => allowsCopies(program, phase))).toEqual([
      false,
      true,
      true,
    ]);
  });

  test("a sort, and a join of hot keys, take a sample first", () => {
    const flow = defineFlow("sorted", (f) => {
      f.read("lines", text()).sortBy("sorted").write(text());
    });
    expect(shown(flow)).toEqual([
      "sorted: sample: lines pair map -> [0]",
      "lines: lines pair -> range sorted",
      "sorted: each(lines) -> output",
    ]);
    expect(sections(flow)).toEqual(["sorted: sample", "lines sorted"]);
    const salted = defineFlow("salted", (f) => {
      const right = f.read("towns", towns).keyBy("town");
      f.read("people", people).keyBy("town").join("home", right, { skew: "salt" }).write(tsv());
    });
    expect(sections(salted)).toEqual(["home: sample", "people towns home"]);
  });

  test("a loop's body is planned once; its inputs from outside are kept", () => {
    const flow = defineFlow("steps", (f) => {
      const links = f.read("links", text()).keyBy((line) => line);
      const start = links.mapValues(() => 1);
      f.loop("round", start, { most: 3 }, (state) =>
        links
          .join("meet", state)
          .flatMap(([key, [, n]]) => [[key, n] as const])
          .keyBy(
            (pair) => pair[0],
            (pair) => pair[1],
          )
          .fold("next", sum()),
      ).write(tsv());
    });
    expect(shown(flow)).toEqual([
      "links: links pair map -> [0]",
      "keep links: links pair -> [1]",
      "round: read links: [1] -> hash meet",
      "round: [0] -> hash meet",
      "meet: join(round: read links, round) flat-map pair -> hash next",
      "next: fold(meet) -> [0]",
      "write round: [0] -> output",
    ]);
    expect(sections(flow)).toEqual([
      "links keep links",
      "(round: read links round meet next)",
      "write round",
    ]);
  });
});

describe("an impossible flow is refused", () => {
  const define = (build: Parameters<typeof defineFlow>[1]) => () => defineFlow("bad", build);

  test("invalid or repeated names", () => {
    expect(define((f) => f.read("a b", text()).write(tsv()))).toThrow("expected letters, digits");
    expect(define((f) => f.read("a", text()).union(f.read("a", text())).write(tsv()))).toThrow(
      "flow bad: a: expected a name that is not taken",
    );
    expect(define((f) => f.read("a", text()).keyBy().fold("a", count()).write(tsv()))).toThrow(
      "expected a name that is not taken",
    );
  });

  test("a flow that writes nothing, or several outputs without names", () => {
    expect(define((f) => void f.read("a", text()))).toThrow("expected it to write something");
    const twice = define((f) => {
      const lines = f.read("a", text());
      lines.write(tsv(), "all");
      lines.write(tsv());
    });
    expect(twice).toThrow("expected a name of its own for each of several");
  });

  test("loops that have no rounds, do not use their state, or leak it", () => {
    const rounds = { most: 2 };
    const loop = (most: number) =>
      define((f) => f.loop("l", f.read("a", text()), { most }, (s) => s.words()).write(tsv()));
    expect(loop(0)).toThrow("expected a whole number of rounds from 1, found 0");
    const idle = define((f) => {
      const lines = f.read("a", text());
      f.loop("l", lines, rounds, () => lines.words()).write(tsv());
    });
    expect(idle).toThrow("loop l: expected its body to use its state");
    const inside = define((f) => {
      f.loop("l", f.read("a", text()), rounds, (state) => {
        state.write(tsv());
        return state.words();
      });
    });
    expect(inside).toThrow("loop l: expected its state within its body only");
    const doubling = define((f) =>
      f.loop("l", f.read("a", text()), rounds, (s) => s.words().union(s)).write(tsv()),
    );
    expect(doubling).toThrow("loop l: expected its union to be brought together");
  });

  test("arguments that are something else, since types are not checked when it runs", () => {
    const wrong = (call: string, ...given: readonly unknown[]) =>
      define((f) => {
        const words = f.read("a", text()).words();
        const pairs = words.keyBy();
        const on = call === "read" ? f : Reflect.has(words, call) ? words : pairs;
        Reflect.apply(Reflect.get(on, call), on, given);
        words.write(tsv());
      });
    expect(wrong("read", "b", "b.txt")).toThrow("read b: expected text(...), ndjson(...)");
    expect(wrong("map", "length")).toThrow('map: expected a function, found "length"');
    expect(wrong("keyBy", 1)).toThrow("key or value: expected a function, or the name of a column");
    expect(wrong("fold", "n", {})).toThrow("fold n: expected a fold of init, add, merge and done");
    expect(wrong("total", "n", sum)).toThrow("total n: expected a fold");
    expect(wrong("join", "j", {}, { how: "outer" })).toThrow('join j: how: expected "inner" or');
    expect(wrong("join", "j", {}, { by: "table" })).toThrow('join j: by: expected "shuffle" or');
    expect(wrong("join", "j", {}, { skew: "salted" })).toThrow('join j: skew: expected "salt"');
    expect(wrong("via", words)).toThrow("via: expected an operator such as words()");
    expect(wrong("sortBy", "s", { order: "down" })).toThrow(
      'sortBy s: order: expected "ascending" or "descending"',
    );
    expect(wrong("write", "out")).toThrow("write: expected tsv(...), text(...)");
  });

  test("numbers of partitions that are not counts", () => {
    const flow = define((f) =>
      f.read("a", text()).keyBy().fold("c", count(), { partitions: 0.5 }).write(tsv()),
    );
    expect(flow).toThrow("c: partitions: expected a whole number from 1, found 0.5");
  });
});
