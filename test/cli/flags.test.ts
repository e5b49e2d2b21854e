import { describe, expect, test } from "vitest";
import { InputError } from "../../src/base/input-error.ts";
import { killFault, nodeNames, paramsFrom, slowFault, wholeNumber } from "../../src/cli/flags.ts";

const NODES = nodeNames(4);

test("the engine's nodes are n1, n2 and so on", () => {
  expect(NODES).toEqual(["n1", "n2", "n3", "n4"]);
});

test("--slow and --kill are shorthand for faults", () => {
  expect(slowFault("n2=4", NODES)).toEqual({ kind: "slow", at: 0, node: "n2", factor: 4 });
  expect(killFault("n3@12.5", NODES)).toEqual({ kind: "kill", at: 12_500, node: "n3" });
});

describe("a wrong flag names itself and what was expected", () => {
  test.each([
    [() => slowFault("n2", NODES), "--slow n2: expected NODE=FACTOR"],
    [() => slowFault("n2=0.5", NODES), "--slow n2=0.5: expected NODE=FACTOR with a factor of 1"],
    [() => slowFault("n2=fast", NODES), "--slow n2=fast: expected"],
    [() => slowFault("n2=Infinity", NODES), "--slow n2=Infinity: expected"],
    [() => slowFault("n9=2", NODES), "--slow n9=2: expected a node from n1 to n4, found n9"],
    [() => killFault("n3", NODES), "--kill n3: expected NODE@SECONDS"],
    [() => killFault("n3@", NODES), "--kill n3@: expected NODE@SECONDS"],
    [() => killFault("n3@Infinity", NODES), "--kill n3@Infinity: expected NODE@SECONDS"],
    [() => killFault("n3@-1", NODES), "--kill n3@-1: expected NODE@SECONDS"],
    [() => paramsFrom(["pattern"]), "--param pattern: expected KEY=VALUE"],
  ])("%#: %s", (parse, message) => {
    expect(parse).toThrow(InputError);
    expect(parse).toThrow(message);
  });
});

test("a parameter in the form of a number or boolean becomes one", () => {
  expect(paramsFrom(["a=1.5", "b=true", "c=x=y", "d=", "e=007"])).toEqual({
    a: 1.5,
    b: true,
    c: "x=y",
    d: "",
    e: "007",
  });
});

test("whole numbers are accepted only within their range", () => {
  const parse = wholeNumber(1, 8);
  expect(parse("8")).toBe(8);
  for (const text of ["0", "9", "1.5", "-1", "x", ""]) {
    expect(() => parse(text)).toThrow("Expected a whole number, 1 to 8.");
  }
});
