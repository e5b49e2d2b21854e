import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Place } from "../../base/shape.ts";
import { parseCalibration, withConstants } from "../calibration.ts";

const FILE = new URL("../../../reproduction/calibration.json", import.meta.url);
const calibration = parseCalibration(JSON.parse(readFileSync(FILE, "utf8")), "calibration.json");
const place = new Place("bad-experiment", "calibration.json");
const constant = (name: string): unknown =>
  withConstants({ constant: `esplash.${name}` }, calibration, place);

/** Bytes of input for each ms of CPU, in the counters that the sources name. */
const COUNTED = { terasort: 12_900, wordcount: 4_300, grep: 17_300, wordmean: 4_300 } as const;

test.each(Object.entries(COUNTED))(
  "%s is as fast as its counters, times the one speed of a core",
  (program, counted) => {
    const speed = Number(constant("coreSpeed"));
    const map = constant(`${program}.map`);
    const reduce = constant(`${program}.reduce`);
    expect(map).toHaveProperty("cpuBytesPerMs", near(counted * speed));
    expect(reduce).toHaveProperty("cpuBytesPerMs", near(38_000 * speed));
    expect(map).toHaveProperty("startMs", near(1_000 / speed));
  },
);

/** They are written with three digits. */
const near = (value: number): unknown => expect.closeTo(value, -Math.floor(Math.log10(value)) + 2);
