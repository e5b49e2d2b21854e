import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/support/temporary-directory.ts";
import { InputError } from "../../base/input-error.ts";
import { historiesIn } from "./histories-in.ts";

const temporary = temporaryDirectory();

/** A directory of as many directories with as many files. */
function tree(name: string, count: number): string {
  const root = join(temporary, name);
  for (let day = 0; day < count; day++) {
    mkdirSync(join(root, `${day}`), { recursive: true });
    for (let file = 0; file < count; file++) writeFileSync(join(root, `${day}/app-${file}`), "");
  }
  return root;
}

test("a walk says how far it has come, in each directory", () => {
  const root = tree("walk", 3);
  const steps: (readonly [number, string])[] = [];
  historiesIn(root, { onDirectory: (files, directory) => steps.push([files, directory]) });
  expect(steps).toEqual([
    [0, root],
    [0, join(root, "0")],
    [3, join(root, "1")],
    [6, join(root, "2")],
  ]);
});

test("more files than a directory of histories has are refused, with the limit", () => {
  const root = tree("disk", 4);
  expect(historiesIn(root, { filesMax: 16 })).toHaveLength(16);
  const walk = (): unknown => historiesIn(root, { filesMax: 15 });
  expect(walk).toThrow(InputError);
  expect(walk).toThrow(
    "expected a directory of histories, found more than 15 files in and below it: " +
      "name those that hold histories",
  );
});

test("what the system shows as files is left out, unless it is named", () => {
  const root = tree("system", 1);
  for (const name of ["dev", "proc", "sys"]) symlinkSync(`/${name}`, join(root, name));
  expect(historiesIn(root)).toEqual([join(root, "0/app-0")]);
});

test("a link to a directory above leads nowhere, and a path that cannot be read stays", () => {
  const root = tree("links", 1);
  symlinkSync(root, join(root, "0/round"));
  symlinkSync(join(root, "gone"), join(root, "0/to-nothing"));
  expect(historiesIn(root)).toEqual([join(root, "0/app-0"), join(root, "0/to-nothing")]);
});
