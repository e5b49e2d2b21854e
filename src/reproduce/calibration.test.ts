import { expect, test } from "vitest";
import { Place } from "../base/shape.ts";
import { parseCalibration, withConstants } from "./calibration.ts";

const place = new Place("bad-experiment", "x.json");
const constant = (value: unknown) => ({ value, unit: "s", source: "here" });
const calibration = parseCalibration(
  {
    "a.rate": constant(5),
    "a.host": constant({ disk: { constant: "a.rate" }, cores: 2 }),
    "a.loop": constant([{ constant: "a.pool" }]),
    "a.pool": constant({ constant: "a.loop" }),
  },
  "calibration.json",
);

test("a constant replaces its name everywhere, and may use other constants", () => {
  const json = { hosts: [{ constant: "a.host" }], factor: 2 };
  expect(withConstants(json, calibration, place)).toEqual({
    hosts: [{ disk: 5, cores: 2 }],
    factor: 2,
  });
});

test.each([
  [{ a: { constant: "a.rates" } }, /x\.json: a\.constant: expected the name of a constant/],
  [{ a: { constant: "toString" } }, /expected the name of a constant/],
  [{ a: { constant: "a.rate", times: 2 } }, /x\.json: a\.times: unknown/],
  [{ a: { constant: "a.loop" } }, /a constant that is not made of itself/],
])("refuses %j", (json, message) => {
  expect(() => withConstants(json, calibration, place)).toThrow(message);
});

test("a constant without a source is refused", () => {
  const json = { x: { value: 1, unit: "s" } };
  expect(() => parseCalibration(json, "c.json")).toThrow(/c\.json: x\.source: expected/);
});
