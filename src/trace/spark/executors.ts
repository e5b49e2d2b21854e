import type { JsonObject } from "../../base/json.ts";
import { knownCores } from "../counts.ts";
import { numberIn, objectIn, textIn } from "../json-values.ts";

/** Times in ms since 1970. */
export interface SparkExecutor {
  readonly id: string;
  readonly host: string;
  readonly cores: number | undefined;
  readonly from: number;
  readonly until: number | undefined;
}

interface Added {
  readonly host: string;
  readonly cores: number | undefined;
  readonly from: number;
}

/** The executors of an application, which came and went; their events may be in any order. */
export class SparkExecutors {
  readonly #added = new Map<string, Added>();
  readonly #removed = new Map<string, { readonly at: number; readonly reason: string }>();

  /** Returns its host; undefined if the event lacks what identifies an executor. */
  add(event: JsonObject): { readonly id: string; readonly host: string } | undefined {
    const manager = objectIn(event, "Block Manager ID") ?? {};
    const info = objectIn(event, "Executor Info") ?? {};
    const id = textIn(event, "Executor ID") ?? textIn(manager, "Executor ID");
    const at = numberIn(event, "Timestamp");
    if (id === undefined || at === undefined) return undefined;
    const known = this.#added.get(id);
    const host = known?.host || (textIn(info, "Host") ?? textIn(manager, "Host") ?? "");
    const cores = knownCores(numberIn(info, "Total Cores")) ?? known?.cores;
    this.#added.set(id, { host, cores, from: Math.min(known?.from ?? at, at) });
    return { id, host };
  }

  remove(event: JsonObject): void {
    const id = textIn(event, "Executor ID");
    const at = numberIn(event, "Timestamp");
    if (id === undefined || at === undefined) return;
    this.#removed.set(id, { at, reason: textIn(event, "Removed Reason") ?? "" });
  }

  /** Those that were added. */
  get all(): readonly SparkExecutor[] {
    return [...this.#added].map(([id, added]) => ({
      id,
      ...added,
      until: this.#removed.get(id)?.at,
    }));
  }

  /** When and why the executor went; undefined if it stayed. */
  removalOf(id: string): { readonly at: number; readonly reason: string } | undefined {
    return this.#removed.get(id);
  }

  /** Empty if the log does not say. */
  hostOf(id: string): string {
    return this.#added.get(id)?.host ?? "";
  }
}

/** In local mode the driver runs the tasks. */
export const isDriver = (id: string): boolean => id === "driver" || id === "<driver>";
