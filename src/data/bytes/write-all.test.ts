import { closeSync, existsSync, openSync } from "node:fs";
import { expect, test } from "vitest";
import { InputError } from "../../base/input-error.ts";
import { LineFile } from "../../hosts/engine/master/line-file.ts";
import { writeAll } from "./write-all.ts";

/** A file for which there is never room. */
const FULL = "/dev/full";

test.skipIf(!existsSync(FULL))("an error of a full disk names the file, and keeps its code", () => {
  const handle = openSync(FULL, "w");
  const write = (): void => writeAll({ path: FULL, handle }, Buffer.from("text"));
  expect(write).toThrow(
    "ENOSPC: no space left on device, write of 4 bytes; free some, or " +
      "name another disk by --run-dir or --output: '/dev/full'",
  );
  expect(write).toThrow(expect.objectContaining({ code: "ENOSPC" }));
  closeSync(handle);
});

test.skipIf(!existsSync(FULL))("a file of lines for which there is no room is the user's", () => {
  const file = new LineFile(FULL);
  file.add("line");
  expect(() => file.flush()).toThrow(
    new InputError("missing-file", FULL, "expected a file to write: no space left on device"),
  );
  file.close();
});
