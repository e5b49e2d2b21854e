import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { keyOf, type Mutant } from "./mutant.ts";
import type { Net, Verdict } from "./verdict.ts";

/** What became of a mutant; it may have incorrect types. */
export type Result = {
  readonly mutant: Mutant;
  readonly seconds: number;
} & (
  | { readonly kind: "not valid" }
  | { readonly kind: "asked"; readonly verdicts: { readonly [net in Net]: Verdict } }
);

/** The results of a run, a line each, in a file that survives Ctrl-C. */
export class Results {
  readonly #file: string;
  readonly #tree: string;
  readonly #known = new Map<string, Result>();
  /** Verdicts on other trees: those that killed. */
  readonly #before = new Map<string, Result>();

  /** `tree` names the state of the sources and tests. */
  constructor(file: string, tree: string) {
    this.#file = file;
    this.#tree = tree;
    if (!existsSync(file)) return;
    for (const line of readFileSync(file, "utf8").split("\n")) {
      if (line === "") continue;
      const { of, result }: { of: string; result: Result } = JSON.parse(line);
      (of === tree ? this.#known : this.#before).set(keyOf(result.mutant), result);
    }
  }

  find(mutant: Mutant): Result | undefined {
    return this.#known.get(keyOf(mutant));
  }

  /**
   * The results that are known of the first mutants, among which `count` have correct types; whole
   * if none is missing.
   */
  first(
    mutants: readonly Mutant[],
    count: number,
  ): { readonly found: readonly Result[]; readonly isWhole: boolean } {
    const found: Result[] = [];
    let missing = 0;
    let valid = 0;
    for (const mutant of mutants) {
      if (valid + missing === count) break;
      const result = this.find(mutant);
      if (result === undefined) missing++;
      else found.push(result);
      if (result?.kind === "asked") valid++;
    }
    return { found, isWhole: missing === 0 };
  }

  /** What the net said about the mutant on another tree, if it killed. */
  killedBefore(mutant: Mutant, net: Net): Verdict | undefined {
    const before = this.#before.get(keyOf(mutant));
    if (before?.kind !== "asked") return undefined;
    const verdict = before.verdicts[net];
    return verdict.how === "killed" ? verdict : undefined;
  }

  add(result: Result): void {
    this.#known.set(keyOf(result.mutant), result);
    mkdirSync(dirname(this.#file), { recursive: true });
    appendFileSync(this.#file, `${JSON.stringify({ of: this.#tree, result })}\n`);
  }
}
