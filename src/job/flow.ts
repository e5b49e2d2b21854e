import { InputError } from "../base/input-error.ts";
import type { MapContext, Params } from "./context.ts";
import { type Definition, withDefinition } from "./definition.ts";
import { described } from "./described.ts";
import { FlowBuilder } from "./flow-builder.ts";
import { planFlow } from "./flow-plan.ts";
import type { Program } from "./program.ts";
import { isSpeculate, SPECULATE_EXPECTED, type Speculate, speculatesOf } from "./speculate.ts";

/** Marks a flow, so that a flow from another copy of this module is recognised too. */
const FLOW_KIND = "broomwagon-flow";

/** A planned flow; only `defineFlow` makes one. */
export interface Flow {
  readonly kind: typeof FLOW_KIND;
  readonly program: Program;
  /** Undefined if no module was being evaluated: threads could not find the flow. */
  readonly definition: Definition | undefined;
}

/** The declarations of a flow besides its name. */
export interface FlowSpec<C extends string, P extends Params> {
  /** Letters, digits, ".", "_" and "-". */
  readonly name: string;
  /** The counters that `ctx.count` may add to. */
  readonly counters?: readonly C[];
  /** The defaults of `ctx.params`. */
  readonly params?: P;
  /**
   * Whether a second copy of a task may run beside the first; false if user code has side effects.
   * `{ reduce: false }`: no task that reads a shuffle is copied.
   */
  readonly speculate?: Speculate;
}

/**
 * Defines a flow, several phases in one run: its reads, its steps and its writes. Each read, each
 * step that brings records together and each loop has a name, which is also its phase's.
 *
 *     export default defineFlow("visits", (f) => {
 *       const visits = f.read("visits", csv("log.csv", { columns: ["country"] }));
 *       visits.keyBy("country").fold("by-country", count()).write(tsv());
 *     });
 */
export function defineFlow<
  const C extends string = never,
  P extends Params = Readonly<Record<never, never>>,
>(about: string | FlowSpec<C, P>, build: (f: FlowBuilder<MapContext<C, P>>) => void): Flow {
  const spec = typeof about === "string" ? { name: about } : about;
  const builder = new FlowBuilder<MapContext<C, P>>(spec.name);
  build(builder);
  if (builder.writes.length === 0) {
    throw new InputError("bad-job", `flow ${spec.name}`, "expected it to write something");
  }
  const { counters = [], name, params = {}, speculate = true } = spec;
  if (!isSpeculate(speculate)) {
    const expected = `expected ${SPECULATE_EXPECTED}, found ${described(speculate)}`;
    throw new InputError("bad-job", `flow ${name}: speculate`, expected);
  }
  const copied = speculatesOf(speculate);
  return withDefinition({
    kind: FLOW_KIND,
    program: { name, counters, params, speculate: copied, ...planFlow(builder.writes) },
  });
}

/** Whether a value, such as a module's default export, came from `defineFlow`. */
export function isFlow(value: unknown): value is Flow {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === FLOW_KIND;
}
