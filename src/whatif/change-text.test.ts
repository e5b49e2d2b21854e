import { expect, test } from "vitest";
import type { Answer, Change } from "./change.ts";
import { changeTables, changeText } from "./change-text.ts";

const change = (ms: number, lowMs: number, highMs: number, rho = 0): Change => ({
  ...{ rho, ms, lowMs, highMs },
  ...{ slotShare: 0, copies: 0, wins: 0 },
});
const row = (answer: Answer) => ({ policy: "late", placebo: 0, isMarked: false, ...answer });

test("an unsure change keeps its mean and its interval; a change of 0 is none", () => {
  expect(changeText(change(-24_100, -60_000, 11_800))).toBe("-24.1 [-60.0, +11.8], unsure");
  expect(changeText(change(-24_100, -30_000, -18_000))).toBe("-24.1 [-30.0, -18.0]");
  expect(changeText(change(0, 0, 0))).toBe("none");
});

test("with unknown rho a row has both ends; with known rho, one change", () => {
  const byAttempt = change(-9_000, -10_000, -8_000);
  const byTask = change(-2_000, -3_000, -1_000, 1);
  const rows = [row({ byAttempt, byTask })];
  const [both] = changeTables({ rows });
  expect(both?.heads).toEqual(["luck of the attempt s", "luck of the task s"]);
  expect(both?.rows[0]?.changes).toEqual([byAttempt, byTask]);
  const atRho = change(-5_000, -6_000, -4_000, 0.4);
  const [one] = changeTables({ rows: [row({ byAttempt, byTask, atRho })] });
  expect(one?.heads).toEqual(["change s, rho 0.40"]);
  expect(one?.rows[0]?.changes).toEqual([{ ...atRho, lowMs: -10_000, highMs: -1_000 }]);
});

test("a policy whose change is not that of its copies has a star in both tables", () => {
  const answer = { byAttempt: change(-1_000, -1_100, -900) };
  const thatRun = { ...answer, isRough: true };
  const tables = changeTables({ rows: [{ ...row(answer), isMarked: true, thatRun }] });
  const names = tables.map(({ rows }) => rows[0]?.policy);
  expect(names).toEqual(["late *", "late * (rough)"]);
});
