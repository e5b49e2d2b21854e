import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { InputError } from "../../base/input-error.ts";
import { OutputDirectory } from "./output-directory.ts";

let parent: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "broomwagon-output-"));
});

afterEach(() => rmSync(parent, { recursive: true }));

let runs = 0;
const open = (path: string, overwrite = false): OutputDirectory =>
  new OutputDirectory({ path, overwrite, id: `run-${runs++}` });

function write(output: OutputDirectory, attempt: number, part: string, text: string): void {
  writeFileSync(output.partOf(attempt, part), text);
}

describe("an output directory", () => {
  test("appears at the commit, with only the accepted parts and _SUCCESS", () => {
    const output = open(join(parent, "out"));
    write(output, 1, "part-00000", "won");
    write(output, 2, "part-00000", "lost");
    write(output, 3, "part-00001", "killed");
    output.accept(1, "part-00000");
    expect(existsSync(output.path)).toBe(false);
    output.commit();
    output.close();
    expect(readdirSync(parent)).toEqual(["out"]);
    expect(readdirSync(output.path).sort()).toEqual(["_SUCCESS", "part-00000"]);
    expect(readFileSync(join(output.path, "part-00000"), "utf8")).toBe("won");
  });

  test("leaves nothing if closed without a commit, not even parents that it made", () => {
    const output = open(join(parent, "a", "b", "out"));
    write(output, 1, "part-00000", "text");
    output.accept(1, "part-00000");
    output.close();
    expect(readdirSync(parent)).toEqual([]);
  });

  test("keeps a parent that another process uses by now", () => {
    const output = open(join(parent, "a", "b", "out"));
    writeFileSync(join(parent, "a", "other"), "");
    output.close();
    expect(readdirSync(join(parent, "a"))).toEqual(["other"]);
  });

  test("that exists is refused, and says how to replace it", () => {
    mkdirSync(join(parent, "out"));
    expect(() => open(join(parent, "out"))).toThrow(InputError);
    expect(() => open(join(parent, "out"))).toThrow(/out: .*--overwrite/);
    expect(readdirSync(parent)).toEqual(["out"]);
  });

  test("that exists is replaced only at the commit", () => {
    mkdirSync(join(parent, "out"));
    writeFileSync(join(parent, "out", "part-00007"), "");
    const failed = open(join(parent, "out"), true);
    write(failed, 1, "part-00000", "text");
    failed.close();
    expect(readdirSync(join(parent, "out"))).toEqual(["part-00007"]);
    const output = open(join(parent, "out"), true);
    write(output, 1, "part-00000", "text");
    output.accept(1, "part-00000");
    output.commit();
    output.close();
    expect(readdirSync(parent)).toEqual(["out"]);
    expect(readdirSync(output.path).sort()).toEqual(["_SUCCESS", "part-00000"]);
  });

  test.each(["_SUCCESS.txt", "part-list", ".hidden", "part-00000/text"])(
    "that holds %s is never replaced",
    (name) => {
      const path = join(parent, "out");
      mkdirSync(dirname(join(path, name)), { recursive: true });
      writeFileSync(join(path, name), "mine");
      writeFileSync(join(path, "_SUCCESS"), "");
      expect(() => open(path, true)).toThrow(InputError);
      expect(() => open(path, true)).toThrow(/out: --overwrite replaces only .* earlier output/);
      expect(readFileSync(join(path, name), "utf8")).toBe("mine");
      expect(readdirSync(parent)).toEqual(["out"]);
    },
  );

  test("that is a file or a link is never replaced", () => {
    writeFileSync(join(parent, "file"), "mine");
    symlinkSync("nowhere", join(parent, "link"));
    for (const name of ["file", "link"]) {
      const place = join(parent, name);
      for (const overwrite of [false, true]) {
        expect(() => open(place, overwrite)).toThrow(InputError);
        expect(() => open(place, overwrite)).toThrow(`${place}: there is something that is no dir`);
      }
    }
    expect(readdirSync(parent)).toEqual(["file", "link"]);
  });

  test("that another process has taken meanwhile is not replaced", () => {
    const output = open(join(parent, "out"), true);
    mkdirSync(output.path);
    writeFileSync(join(output.path, "theirs"), "");
    expect(() => output.commit()).toThrow(InputError);
    output.close();
    expect(readdirSync(output.path)).toEqual(["theirs"]);
  });

  test("below a file, or where nothing can be made, is refused with path and reason", () => {
    writeFileSync(join(parent, "file"), "");
    for (const path of ["file/out", "file/a/out"].map((name) => join(parent, name))) {
      expect(() => open(path)).toThrow(InputError);
      expect(() => open(path)).toThrow(`${path}: expected a directory to write: not a directory`);
    }
    expect(readdirSync(parent)).toEqual(["file"]);
  });

  test("that was created meanwhile is not overwritten", () => {
    const output = open(join(parent, "out"));
    mkdirSync(output.path);
    writeFileSync(join(output.path, "theirs"), "");
    expect(() => output.commit()).toThrow(InputError);
    output.close();
    expect(readdirSync(parent)).toEqual(["out"]);
    expect(readdirSync(output.path)).toEqual(["theirs"]);
  });

  test("cannot accept a part whose attempt has been dropped", () => {
    const output = open(join(parent, "out"));
    write(output, 1, "part-00000", "text");
    output.drop(1);
    expect(() => output.accept(1, "part-00000")).toThrow(/ENOENT/);
    output.close();
  });
});

describe("a second run into the same place", () => {
  test("is refused during the first, and allowed after it", () => {
    const first = open(join(parent, "out"), true);
    expect(() => open(first.path, true)).toThrow(InputError);
    expect(() => open(first.path, true)).toThrow(/out: another run, process \d+@.* is about/);
    write(first, 1, "part-00000", "text");
    first.accept(1, "part-00000");
    first.commit();
    first.close();
    open(first.path, true).close();
    expect(readdirSync(parent)).toEqual(["out"]);
  });

  test("does not block an output whose name begins with the same letters", () => {
    const first = open(join(parent, "out"));
    const other = open(join(parent, "out.run-1"));
    other.close();
    first.close();
    expect(readdirSync(parent)).toEqual([]);
  });

  test("is refused if the first is on another machine, where nothing is known about it", () => {
    mkdirSync(join(parent, `_temporary-out.run.1@not-${hostname()}`));
    expect(() => open(join(parent, "out"))).toThrow(/if there is no such run, remove .*_temp/);
  });
});

describe("after a run whose process was killed", () => {
  let dead: string;
  beforeEach(() => {
    const { pid } = spawnSync(process.execPath, ["--version"]);
    dead = `${pid}@${hostname()}`;
  });

  function put(directory: string, file: string): void {
    mkdirSync(join(parent, directory), { recursive: true });
    writeFileSync(join(parent, directory, file), "");
  }

  test("during its work, its area is removed", () => {
    put(`_temporary-out.earlier.${dead}`, "accepted");
    open(join(parent, "out")).close();
    expect(readdirSync(parent)).toEqual([]);
  });

  test("between the two steps of its commit, the old output is restored", () => {
    put(`_temporary-out.earlier.${dead}`, "accepted");
    put(`_replaced-out.earlier.${dead}`, "old");
    expect(() => open(join(parent, "out"))).toThrow(/the output directory exists/);
    expect(readdirSync(parent)).toEqual(["out"]);
    expect(readdirSync(join(parent, "out"))).toEqual(["old"]);
  });

  test("after its commit, the new output stays, and the old one's remains are removed", () => {
    put(`_replaced-out.earlier.${dead}`, "old");
    put("out", "part-00000");
    open(join(parent, "out"), true).close();
    expect(readdirSync(parent)).toEqual(["out"]);
    expect(readdirSync(join(parent, "out"))).toEqual(["part-00000"]);
  });

  test("its area beside another output stays", () => {
    put(`_replaced-out.more.earlier.${dead}`, "old");
    open(join(parent, "out")).close();
    expect(readdirSync(parent)).toEqual([`_replaced-out.more.earlier.${dead}`]);
  });
});
