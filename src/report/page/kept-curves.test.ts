import { expect, test } from "vitest";
import { tableFrom } from "../../../test/support/tables.ts";
import { ATTEMPT, CURVE_POINTS, TRACE_ENDS } from "../../history/columns.ts";
import { ATTEMPT_KINDS } from "../../model/attempt.ts";
import { PAGE_ATTEMPT } from "./document.ts";
import { keptCurves } from "./kept-curves.ts";

const COPY = ATTEMPT_KINDS.indexOf("speculative");
const KILLED = TRACE_ENDS.indexOf("killed");

/** Attempts of a second each, of one task each, some of them unusual. */
function source(count: number, other: { readonly [name: string]: readonly [number, number] }) {
  const list = (name: string, usual: (n: number) => number) =>
    Array.from({ length: count }, (_, n) => {
      const [at, value] = other[name] ?? [-1, 0];
      return at === n ? value : usual(n);
    });
  const table = tableFrom(PAGE_ATTEMPT, count, {
    task: list("task", (n) => n),
    startedAt: list("startedAt", () => 0),
    endedAt: list("endedAt", () => 1_000),
    expectedMs: list("expectedMs", () => 1_000),
    kinds: list("kinds", () => 0),
    ends: list("ends", () => 0),
  });
  const curves = new Float32Array(count * CURVE_POINTS).fill(7.25);
  const attempts = { ...tableFrom(ATTEMPT, count), curves };
  return { table, phases: [{ attempts, isExact: false }], lateAbove: 1.5, isLive: false };
}

/** Small pages stand for large ones. */
const [MOST, LARGE, TENTH] = [20, 21, 3];

test("a page has the curves of all attempts, up to a limit and during a run", () => {
  expect(keptCurves(source(MOST, {}), MOST)).toEqual({ curves: new Float32Array(240).fill(7) });
  const live = keptCurves({ ...source(LARGE, {}), isLive: true }, MOST);
  expect(live.curvesKept).toBeUndefined();
  expect(live.curves.every((value) => value === 7)).toBe(true);
});

test("a larger page has the curves of every tenth task", () => {
  const { curves, curvesKept } = keptCurves(source(LARGE, {}), MOST);
  expect(curvesKept).toBe(TENTH);
  expect([...curves.subarray(9 * CURVE_POINTS, 9 * CURVE_POINTS + 2)]).toEqual([NaN, NaN]);
  expect(curves[10 * CURVE_POINTS]).toBe(7);
});

test.each([
  ["was late", { endedAt: [13, 1_501] }],
  ["did not succeed", { ends: [13, KILLED] }],
  ["is a copy", { kinds: [13, COPY] }],
] as const)("and of an attempt that %s", (_, other) => {
  const { curves, curvesKept } = keptCurves(source(LARGE, other), MOST);
  expect(curvesKept).toBe(TENTH + 1);
  expect(curves[13 * CURVE_POINTS]).toBe(7);
});

test("the original of a copy has its curve too", () => {
  const made = source(LARGE, { kinds: [13, COPY] });
  made.table.task[14] = 13;
  expect(keptCurves(made, MOST).curvesKept).toBe(TENTH + 2);
});

test("a job that the page simulates has all of its curves, to the last bit", () => {
  const made = source(LARGE, {});
  const { attempts } = made.phases[0]!;
  const { curves, curvesKept } = keptCurves(
    { ...made, phases: [{ attempts, isExact: true }] },
    MOST,
  );
  expect(curvesKept).toBe(LARGE);
  expect(curves).toEqual(attempts.curves);
});
