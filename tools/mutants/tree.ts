import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { transformSync } from "@swc/wasm-typescript";
import type { SourceFile } from "../tidy/source.ts";
import { type Mutant, mutated } from "./mutant.ts";

const SKIPPED = new Set(["node_modules", "dist", ".git", ".build", ".broomwagon", "target"]);
/** The files of the letter's program: the scheduler, the letter, and what plays its worlds. */
const PARTS = [
  /^(src\/(base|model|policy|core)|test\/letter)\/.*(?<!\.test)\.ts$/,
  /^tools\/mutants\/(play-worlds|reached)\.ts$/,
];
export const isOfLetter = ({ path }: SourceFile): boolean => PARTS.some((part) => part.test(path));

const LETTER = ".letter";

/** A copy of the repository in which one mutant at a time takes the place of its file. */
export class Tree {
  readonly root: string;
  readonly #files = new Map<string, SourceFile>();

  constructor(from: string, files: readonly SourceFile[]) {
    this.root = mkdtempSync(join(tmpdir(), "broomwagon-mutants-"));
    const filter = (path: string): boolean => !relative(from, path).split("/").some(isSkipped);
    cpSync(from, this.root, { recursive: true, filter });
    for (const shared of ["node_modules", "dist"]) {
      symlinkSync(join(from, shared), join(this.root, shared));
    }
    this.#write(`${LETTER}/package.json`, '{"type":"module"}');
    this.#write("tsconfig.mutants.json", JSON.stringify(TYPES));
    for (const file of files) {
      this.#files.set(file.path, file);
      if (isOfLetter(file)) this.#strip(file);
    }
  }

  /** The program that plays the letter's worlds, of the changed tree. */
  get letter(): string {
    return join(this.root, LETTER, "tools/mutants/play-worlds.js");
  }

  enter(mutant: Mutant): void {
    const file = this.#file(mutant);
    this.#put({ path: file.path, text: mutated(file, mutant) });
  }

  leave(mutant: Mutant): void {
    this.#put(this.#file(mutant));
  }

  remove(): void {
    // A program that was just ended may still be writing.
    rmSync(this.root, { recursive: true, force: true, maxRetries: 10 });
  }

  #file({ path }: Mutant): SourceFile {
    const file = this.#files.get(path);
    if (file === undefined) throw new Error(`${path} is not in the tree`);
    return file;
  }

  #put(file: SourceFile): void {
    this.#write(file.path, file.text);
    this.#strip(file);
  }

  /** Types become spaces, so that every offset stays. */
  #strip({ path, text }: SourceFile): void {
    const { code } = transformSync(text, { mode: "strip-only" });
    const linked = code.replace(/((?:from|import)\s*\(?")(\.[^"]*)\.ts"/g, '$1$2.js"');
    this.#write(`${LETTER}/${path.replace(/\.ts$/, ".js")}`, linked);
  }

  #write(path: string, text: string): void {
    const to = join(this.root, path);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(`${to}.new`, text);
    renameSync(`${to}.new`, to);
  }
}

const isSkipped = (part: string): boolean => SKIPPED.has(part);

/** What a mutant must still be: a program with correct types. */
const TYPES = {
  extends: "./tsconfig.pure.json",
  compilerOptions: {
    ...{ composite: false, declaration: false, incremental: true, noEmit: true, sourceMap: false },
    ...{ noUnusedLocals: false, noUnusedParameters: false, allowUnreachableCode: true },
    tsBuildInfoFile: ".types.tsbuildinfo",
  },
  include: ["src/base", "src/model", "src/policy", "src/core"],
};
