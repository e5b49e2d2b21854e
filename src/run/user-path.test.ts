import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { atUserPath, makeDirectory } from "./user-path.ts";

const home = mkdtempSync(join(tmpdir(), "broomwagon-path-"));
afterAll(() => rmSync(home, { recursive: true }));

describe("making a directory", () => {
  test("makes missing directories and returns the first", () => {
    expect(makeDirectory(join(home, "a", "b", "c"))).toBe(join(home, "a"));
    expect(existsSync(join(home, "a", "b", "c"))).toBe(true);
    expect(makeDirectory(join(home, "a", "b", "d"))).toBe(join(home, "a", "b", "d"));
    expect(makeDirectory(join(home, "a"))).toBeUndefined();
  });
});

describe("an operation on a path that the user named", () => {
  test("reports the system's refusal with the path and the reason", () => {
    mkdirSync(join(home, "there"));
    const path = join(home, "there");
    expect(() => atUserPath(path, "a directory to write", () => mkdirSync(path))).toThrow(
      `${path}: expected a directory to write: file already exists`,
    );
  });

  test("passes on errors that are not the system's", () => {
    const ours = new TypeError("ours");
    const fail = (): never => {
      throw ours;
    };
    expect(() => atUserPath(home, "a directory", fail)).toThrow(ours);
  });
});
