import { existsSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { InputError } from "../base/input-error.ts";
import { writing } from "./files.ts";

/** InputError, before any work is done, if the user's file cannot be written. */
export function checkPlace(flag: string, path: string): void {
  const folder = dirname(path);
  const fail = (problem: string): never => {
    throw new InputError("bad-flag", `${flag} ${path}`, problem);
  };
  if (!existsSync(folder)) fail(`no directory ${folder}`);
  if (existsSync(path) && statSync(path).isDirectory()) {
    fail("expected a file to write: this is a directory");
  }
}

/** Writes the drawing to the path, whole or not at all. */
export function writePicture(path: string, draw: () => string): void {
  checkPlace("--svg", path);
  const part = `${path}.part`;
  // Finds out before the work whether the directory can be written.
  writing(path, () => writeFileSync(part, ""));
  try {
    writeWhole("--svg", path, draw());
  } finally {
    rmSync(part, { force: true });
  }
}

/** Writes the text to the path, whole or not at all. */
export function writeWhole(flag: string, path: string, text: string): void {
  checkPlace(flag, path);
  const part = `${path}.part`;
  try {
    writing(path, () => {
      writeFileSync(part, text);
      renameSync(part, path);
    });
  } finally {
    rmSync(part, { force: true });
  }
}
