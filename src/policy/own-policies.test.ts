import { describe, expect, test } from "vitest";
import { World } from "../../test/support/world.ts";
import type { View } from "../model/view.ts";
import { parseDiscipline, restoreDiscipline } from "./discipline.ts";
import { withOwnPolicies } from "./own-policies.ts";
import { describeDiscipline } from "./policy.ts";
import { REGISTRY } from "./registry.ts";
import { SEAT_FIELDS } from "./seat-fields.ts";

const oldest = {
  name: "oldest",
  source: "my own idea",
  params: { ranMsMin: { default: 1, about: "ms" } },
  needs: ["slot-offers"],
  remember: () => null,
  onIdleSlot: () => [],
};
const withExport = (exported: unknown) =>
  withOwnPolicies(REGISTRY, [{ file: "mine.ts", exported }]);
const withPolicy = (change: object) => withExport({ speculation: [{ ...oldest, ...change }] });

describe("policies of a user's own", () => {
  const registry = withExport({
    speculation: [{ policy: oldest, meaning: "the oldest first" }],
    disciplines: [{ name: "mine", speculation: "oldest", sharing: "fair" }],
  });

  test("are looked up by name, like the others", () => {
    expect(registry.speculation.at(-1)).toMatchObject({
      policy: { name: "oldest", params: oldest.params },
      meaning: "the oldest first",
      page: "mine.ts",
      file: "mine.ts",
    });
    const { speculation, sharing } = parseDiscipline("mine", ["speculation.ranMsMin=5"], registry);
    expect(speculation.policy.name).toBe("oldest");
    expect(speculation.params).toEqual({ ranMsMin: 5 });
    expect(sharing.policy.name).toBe("fair");
  });

  test("have their file in the description of a discipline that uses them, and only there", () => {
    const described = describeDiscipline(parseDiscipline("mine", [], registry));
    expect(described.files).toEqual(["mine.ts"]);
    expect(describeDiscipline(restoreDiscipline(described, registry))).toEqual(described);
    expect(describeDiscipline(parseDiscipline("late", [], registry))).not.toHaveProperty("files");
    expect(() => restoreDiscipline(described)).toThrow(
      "discipline.speculation: no speculation policy oldest, which the run took from a file: " +
        "give --policies mine.ts",
    );
  });

  test("of two files are found together", () => {
    const both = withOwnPolicies(REGISTRY, [
      { file: "a.ts", exported: { speculation: [oldest] } },
      { file: "b.ts", exported: { disciplines: [{ name: "b", speculation: "oldest" }] } },
    ]);
    expect(parseDiscipline("b", [], both).files).toEqual(["a.ts"]);
  });

  test("may come from the package itself: every policy there has the fields of its seat", () => {
    const { disciplines: _, ...seats } = REGISTRY;
    const none = Object.fromEntries(Object.keys(seats).map((seat) => [seat, []]));
    const all = Object.entries(seats).map(([seat, rows]) => [
      seat,
      rows.map(({ policy }) => policy).filter(({ name }) => name !== "none"),
    ]);
    const empty = { ...REGISTRY, ...none, disciplines: [] };
    const exported: unknown = Object.fromEntries(all);
    expect(() => withOwnPolicies(empty, [{ file: "all.ts", exported }])).not.toThrow();
    expect(Object.keys(SEAT_FIELDS)).toEqual(Object.keys(seats));
  });
});

describe("a mistake in a file of policies names the file, the place and what was expected", () => {
  test.each<readonly [string, unknown, string]>([
    ["no default export", undefined, "mine.ts: expected `export default definePolicies({"],
    ["a policy alone", [oldest], "mine.ts: expected its default export to be an object with"],
    [
      "an unknown seat",
      { speculations: [oldest] },
      "mine.ts: speculations: unknown; expected sharing, order, speculation, data, estimator, " +
        "detection, disciplines; did you mean speculation?",
    ],
    ["no list", { speculation: oldest }, "mine.ts: speculation: expected a list, found an object"],
    ["no policy", { speculation: ["late"] }, 'speculation[0]: expected a policy, found "late"'],
    [
      "a discipline of an unknown policy",
      { disciplines: [{ name: "mine", speculation: "oldest" }] },
      "mine.ts: disciplines[0].speculation: no speculation policy oldest; known: none, hadoop,",
    ],
    [
      "a discipline whose name is taken",
      { disciplines: [{ name: "late" }] },
      "mine.ts: disciplines[0].name: late is taken: expected another",
    ],
    ["a discipline without a name", { disciplines: [{}] }, "disciplines[0]: expected { name,"],
    [
      "a discipline with an unknown key",
      { disciplines: [{ name: "mine", speculator: "late" }] },
      "disciplines[0]: speculator: unknown; expected name, meaning,",
    ],
  ])("%s", (_, exported, message) => {
    expect(() => withExport(exported)).toThrow(message);
  });

  test.each<readonly [string, object, string]>([
    [
      "a name that is taken",
      { name: "late" },
      "mine.ts: speculation[0].name: late is taken (docs/papers/late.md): expected another",
    ],
    ["a name with a comma", { name: "a,b" }, "expected a name of letters, digits, . and -"],
    ["no source", { source: undefined }, "speculation[0] oldest: source: expected where the rule"],
    [
      "parameters without meaning",
      { params: { ranMsMin: 1 } },
      "params.ranMsMin: expected { default",
    ],
    ["an unknown need", { needs: ["slots"] }, "needs: expected some of slot-offers, requests"],
    ["no memory", { remember: undefined }, "remember: expected a function, such as () => null"],
    [
      "a misspelt hook",
      { onIdleSlots: () => [] },
      "onIdleSlots: unknown; a policy in this seat has name, source, params, needs, wants, " +
        "remember, hears, onIdleSlot, idleNeedsAttempts, onContendedSlot, onPhaseReady, " +
        "onInputWritten, scan; " +
        "did you mean onIdleSlot?",
    ],
    [
      "what was the hook for all events",
      { record() {} },
      "record: unknown; a policy in this seat has name, source, params, needs, wants, remember, " +
        "hears, onIdleSlot, idleNeedsAttempts, onContendedSlot, onPhaseReady, " +
        "onInputWritten, scan; " +
        'write hears: { "attempt-succeeded"(ctx, what) { ... } }',
    ],
    [
      "no list of what it hears",
      { hears() {} },
      'hears: expected { "attempt-succeeded"(ctx, what)',
    ],
    [
      "a misspelt event",
      { hears: { "attempt-succeed"() {} } },
      "hears.attempt-succeed: unknown; a policy hears node-joined, node-silent, ",
    ],
    ["an event that is near", { hears: { "job-end"() {} } }, "did you mean job-ended?"],
    [
      "an event for no function",
      { hears: { "job-ended": true } },
      "hears.job-ended: expected a function, found true",
    ],
    [
      "an async function for an event",
      { hears: { async "job-ended"() {} } },
      "hears.job-ended: expected a plain function, found an async function",
    ],
    ["a hook that is no function", { scan: [] }, "scan: expected a function, found a list"],
    [
      "an async hook",
      { onIdleSlot: async () => [] },
      "onIdleSlot: expected a plain function, found an async function; the scheduler decides",
    ],
  ])("%s", (_, change, message) => {
    expect(() => withPolicy(change)).toThrow(message);
    expect(() => withPolicy(change)).toThrow(/^mine\.ts: /);
  });

  test("a missing hook", () => {
    const { onIdleSlot: _, ...rest } = oldest;
    expect(() => withExport({ detection: [rest] })).toThrow(
      "mine.ts: detection[0] oldest: expiry: expected a function, found nothing",
    );
    expect(() => withExport({ estimator: [{ ...rest, timeLeft() {}, newCopy() {} }] })).toThrow(
      "steady: expected true or false, found nothing",
    );
  });
});

describe("a wrong answer of a hook names the file, the policy, the hook and the cure:", () => {
  /** A world in which a slot idles while a task runs. */
  function answering(hooks: object): World {
    const { onIdleSlot: _, ...rest } = oldest;
    const own = withExport({ speculation: [{ ...rest, ...hooks }] });
    const discipline = parseDiscipline("speculation=oldest,sharing=fifo-plain", [], own);
    const world = new World({ discipline, nodes: 3, slots: [1, 1] });
    world.submit({ maps: 1, reduces: 1 });
    world.advance(5_000);
    return world;
  }
  type Question = readonly [unknown, unknown, { readonly node: number; readonly kind: number }];
  const why = { rule: "test", numbers: {} };
  const launch = { kind: "launch", task: 0, as: "speculative", node: 0, why };

  test.each<readonly [string, object, string]>([
    ["nothing", { onIdleSlot() {} }, "onIdleSlot: expected a list of asks, [] for nothing, found"],
    ["no list", { onIdleSlot: () => launch }, "expected a list of asks, [] for nothing, found obj"],
    ["no ask", { onIdleSlot: () => [null] }, "expected asks such as { kind: "],
    ["no reason", { onIdleSlot: () => [{ ...launch, why: "" }] }, "expected asks such as { kind: "],
    [
      "another node",
      { onIdleSlot: (...[, , { kind }]: Question) => (kind === 0 ? [launch] : []) },
      "expected a launch on n2, the node of the slot: node: slot.node, found node 0",
    ],
    [
      "two launches",
      { onIdleSlot: () => [launch, launch] },
      "expected one launch for the slot, found 2",
    ],
    [
      "a launch without a slot",
      { scan: () => [launch] },
      "scan: expected no launch: only onIdleSl",
    ],
    [
      "a wake that has come",
      { scan: ({ view }: { readonly view: View }) => [{ kind: "wake", at: view.now }] },
      "scan: expected a wake after 0 ms, the present, found 0 ms: test view.now >= at with",
    ],
    ["a wake without a time", { scan: () => [{ kind: "wake" }] }, "scan: expected asks such as"],
  ])("%s", (_, hooks, message) => {
    expect(() => answering(hooks)).toThrow(message);
    expect(() => answering(hooks)).toThrow(/^mine\.ts: speculation\[0\] oldest: /);
  });

  test("a task that cannot take the slot", () => {
    const onIdleSlot = (...[, , { kind, node }]: Question) =>
      kind === 1 ? [{ ...launch, node }] : [];
    expect(() => answering({ onIdleSlot })).toThrow(
      "expected a task that may take the slot, found map/0: look for tasks in view.phases(",
    );
  });

  test("a right answer is carried out, with the policy as `this`", () => {
    const onIdleSlot = function (this: object, ...[, , { kind, node }]: Question) {
      expect(this).toHaveProperty("source", "my own idea");
      return kind === 0 && node === 1 ? [{ ...launch, node }] : [];
    };
    expect(answering({ onIdleSlot }).launches("speculative").length).toBeGreaterThan(0);
  });
});
