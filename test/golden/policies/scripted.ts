import type { Declared } from "../../../src/policy/params.ts";
import type { DataPolicy, SpeculationPolicy } from "../../../src/policy/policy.ts";
import { asksAt, asksDue, markDone, nameOf, type Scripted, type ScriptedContext } from "./asks.ts";

const SCRIPTED: Declared<Scripted> = {
  asks: { default: [], about: "what the script asks for" },
  racks: { default: [], about: "the names of the racks" },
};

const common = {
  source: "the golden scripts",
  params: SCRIPTED,
  needs: [],
  remember: () => ({ done: [] as number[] }),
};

/** A speculation policy that returns its script's asks at the scripted times. */
export const scriptedSpeculation: SpeculationPolicy<Scripted, { done: number[] }> = {
  ...common,
  name: "test-speculation",
  hears: {
    acted(ctx, { action }) {
      if (action.kind === "launch") markDone(ctx, "launch", nameOf(ctx.view, action.task));
    },
  },
  onContendedSlot: (ctx, _, { node }) => asksAt(ctx, `contended@${ctx.view.node(node).name}`, node),
  onIdleSlot: (ctx, _, { node }) => asksAt(ctx, `idle@${ctx.view.node(node).name}`, node),
  scan: asksDue,
};

export interface ScriptedData extends Scripted {
  readonly slowstart: number;
}

/** A data policy of the same kind. */
export const scriptedData: DataPolicy<ScriptedData, { done: number[] }> = {
  ...common,
  name: "test-data",
  params: { ...SCRIPTED, slowstart: { default: 0, max: 1, about: "when readers start" } },
  slowstart: ({ params }) => params.slowstart,
  onPhaseReady(ctx, id) {
    const phase = ctx.view.phase(id);
    return asksAt(ctx, `ready@${ctx.view.jobOf(id).name}/${phase.name}`);
  },
  onOutput: (ctx, task) => asksAt(ctx, `output@${nameOf(ctx.view, task)}`),
};

/** The same, but it also decides about lost outputs: without an ask, nothing happens. */
export const scriptedProtection: DataPolicy<ScriptedData, { done: number[] }> = {
  ...scriptedData,
  name: "test-protection",
  onOutputLost: (ctx: ScriptedContext, task, how) =>
    asksAt(ctx, `${how}@${nameOf(ctx.view, task)}`),
};
