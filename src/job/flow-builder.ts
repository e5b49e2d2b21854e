import { InputError } from "../base/input-error.ts";
import { checkArgument } from "./check-spec.ts";
import type { MapContext, Params } from "./context.ts";
import type { LoopNode, WriteNode } from "./flow-node.ts";
import type { FlowScope } from "./flow-scope.ts";
import type { Input } from "./input.ts";
import type { Key } from "./key.ts";
import type { Output } from "./output.ts";
import type { Round } from "./program.ts";
import { type Keyed, Records } from "./records.ts";

/** The builder that `defineFlow` passes to its function. `X` is the context of user code. */
export class FlowBuilder<X extends MapContext<never, Params>> {
  readonly #name: string;
  readonly #names = new Set<string>();
  readonly #writes: WriteNode[] = [];
  readonly #scope: FlowScope = {
    claim: (name) => this.#claim(name),
    write: (write) => this.#write(write),
  };

  constructor(name: string) {
    this.#name = name;
    this.#check(name);
  }

  /** The records of an input. The command line may name other files for it: `--input name=path`. */
  read<R>(name: string, input: Input<R>): Records<R, X> {
    this.#claim(name);
    checkArgument("input", input, `flow ${this.#name}: read ${name}`);
    return new Records(this.#scope, { kind: "read", name, input });
  }

  /**
   * Repeats steps on records: `body` is called once, with records that stand for the state, and
   * returns the next state. Ends after `most` rounds, or after the round for which `until` is true.
   */
  loop<K extends Key, V>(
    name: string,
    start: Keyed<K, V, X>,
    rounds: LoopRounds,
    body: (state: Keyed<K, V, X>) => Records<readonly [K, V], X>,
  ): Keyed<K, V, X>;
  loop<R>(
    name: string,
    start: Records<R, X>,
    rounds: LoopRounds,
    body: (state: Records<R, X>) => Records<R, X>,
  ): Records<R, X>;
  loop<R>(
    name: string,
    start: Records<R, X>,
    rounds: LoopRounds,
    body: (state: never) => Records<R, X>,
  ): Records<R, X> {
    this.#claim(name);
    const { most, until } = rounds;
    if (!Number.isInteger(most) || most < 1) {
      throw this.#bad(`loop ${name}`, `expected a whole number of rounds from 1, found ${most}`);
    }
    const state: LoopNode["state"] = { kind: "state", name };
    const { node: next } = Reflect.apply(body, undefined, [start.like(state)]);
    const at = { kind: "loop", name, start: start.node, state, next, roundsMax: most } as const;
    if (until === undefined) return start.like(at);
    return start.like({ ...at, until: (round) => trueOrFalse(until(round)) });
  }

  /** The writes, in the order of the calls. */
  get writes(): readonly WriteNode[] {
    const names = this.#writes.map(({ name }) => name);
    if (names.length > 1 && (names.includes(undefined) || new Set(names).size < names.length)) {
      throw this.#bad(
        "write",
        "expected a name of its own for each of several: write(tsv(), name)",
      );
    }
    return this.#writes;
  }

  #claim(name: string): void {
    this.#check(name);
    if (this.#names.has(name)) throw this.#bad(name, "expected a name that is not taken");
    this.#names.add(name);
  }

  #write(write: { name: string | undefined; from: WriteNode["from"]; output: Output }): void {
    if (write.name !== undefined) this.#check(write.name);
    this.#writes.push(write);
  }

  #check(name: unknown): void {
    if (typeof name === "string" && /^[a-z0-9][a-z0-9._-]*$/i.test(name)) return;
    const found = typeof name === "string" ? JSON.stringify(name) : typeof name;
    throw this.#bad("name", `expected letters, digits, ".", "_" and "-", found ${found}`);
  }

  #bad(place: string, expected: string): InputError {
    return new InputError("bad-job", `flow ${this.#name}: ${place}`, expected);
  }
}

/**
 * Types are not checked when a job runs: a promise of an answer, for instance, would never count as
 * true.
 */
function trueOrFalse(answer: unknown): boolean {
  if (typeof answer === "boolean") return answer;
  const found = answer instanceof Promise ? "a promise" : typeof answer;
  throw new TypeError(`expected true or false, found ${found}`);
}

/** When a loop ends. */
export interface LoopRounds {
  /** The most rounds. */
  readonly most: number;
  /** Called after each round, on the machine that runs the flow. */
  until?(round: Round): boolean;
}
