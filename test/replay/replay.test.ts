import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type ReplayedStep, replay } from "../../src/core/journal/index.ts";
import { restoreDiscipline } from "../../src/policy/discipline.ts";
import { planWorld } from "../../src/testing/plan.ts";
import { World } from "../simulate/world.ts";
import { Books } from "../support/books.ts";

/**
 * Recorded journals: a change of any decision shows here. REPLAY_REWRITE=1 records them again;
 * commit only a difference that you can explain.
 */
const RECORDED = [
  { name: "none", discipline: "none", seed: 52, explain: false },
  { name: "hadoop", discipline: "hadoop,sharing=fifo-plain", seed: 154, explain: true },
  { name: "hadoop-paper", discipline: "hadoop-paper", seed: 119, explain: false },
  { name: "late", discipline: "late,sharing=fifo-plain", seed: 35, explain: true },
  { name: "late-phase-aware", discipline: "late,estimator=phase-aware", seed: 52, explain: false },
  { name: "late-0.21", discipline: "late-0.21", seed: 37, explain: false },
];

const folder = new URL("./", import.meta.url);
const linesOf = (name: string): readonly string[] =>
  readFileSync(new URL(name, folder), "utf8").split("\n");

if (process.env.REPLAY_REWRITE === "1") {
  for (const { name, discipline, seed, explain } of RECORDED) {
    const world = new World(
      { ...planWorld(seed), discipline, seats: [], offersSlots: true },
      { explain },
    );
    world.run();
    writeFileSync(new URL(`${name}.ndjson`, folder), `${world.journal.join("\n")}\n`);
  }
}

const files = readdirSync(folder).filter((name) => name.endsWith(".ndjson"));

test("there is a recording of each kind", () => {
  expect(files.sort()).toEqual(RECORDED.map(({ name }) => `${name}.ndjson`).sort());
});

describe("the first line", () => {
  const lines = linesOf("late.ndjson");
  const header = lines[0]!;

  test("may lack a parameter that is newer than the journal", () => {
    const older = lines.with(0, header.replace(',"checkEveryMs":0', ""));
    expect(older[0]).not.toBe(header);
    expect(replay(older, restoreDiscipline, { place: "late.ndjson" })).toMatchObject({
      kind: "same",
    });
  });

  test("differs if a policy is restored with another value", () => {
    const other = (described: Parameters<typeof restoreDiscipline>[0]) => {
      const { detection } = described;
      const params = { ...detection.params, expiryMs: 1 };
      return restoreDiscipline({ ...described, detection: { ...detection, params } });
    };
    const replayed = replay(lines, other, { place: "late.ndjson" });
    expect(replayed).toMatchObject({ kind: "different", line: 1, expected: header });
  });
});

describe.each(files)("%s", (name) => {
  const lines = linesOf(name);

  test("replays to the byte", () => {
    expect(replay(lines, restoreDiscipline, { place: name })).toMatchObject({ kind: "same" });
  });

  test("its facts agree with the view at every step", () => {
    const books = new Books();
    const onStep = ({ facts, view }: ReplayedStep) => books.step(facts, view);
    replay(lines, restoreDiscipline, { place: name, onStep });
    books.end();
  });

  test("reports the first line that differs", () => {
    const line = lines.findIndex((text) => text.includes('"kind":"launch"'));
    const changed = lines.with(line, lines[line]!.replace(/"rule":"[a-z-]+"/, '"rule":"chance"'));
    expect(replay(changed, restoreDiscipline, { place: name })).toEqual({
      kind: "different",
      line: line + 1,
      expected: changed[line],
      got: lines[line],
    });
  });
});

test("lines of the host's own are skipped", () => {
  const [name = ""] = files;
  const lines = linesOf(name);
  const noted = [lines[0]!, '{"host":{"pid":7}}', ...lines.slice(1)];
  expect(replay(noted, restoreDiscipline)).toEqual(replay(lines, restoreDiscipline));
});

test("another parameter in the first line is another run", () => {
  const lines = linesOf("late.ndjson");
  const changed = lines.with(0, lines[0]!.replace('"runtimeMsMin":60000', '"runtimeMsMin":1000'));
  expect(changed[0]).not.toBe(lines[0]);
  expect(replay(changed, restoreDiscipline)).toMatchObject({ kind: "different" });
});
