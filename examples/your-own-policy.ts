import type { ParamsOf, SpeculationPolicy } from "broomwagon/policies";
import { definePolicies, params, refuse, soleAttempt } from "broomwagon/policies";

const PARAMS = params({
  ranMsMin: { default: 10_000, about: "time that a task must have run, in ms" },
});

/** Gives an idle slot to a copy of the task that has run for the longest time. */
const oldest: SpeculationPolicy<ParamsOf<typeof PARAMS>, null> = {
  name: "oldest",
  source: "examples/your-own-policy.ts",
  params: PARAMS,
  needs: ["slot-offers"],
  remember: () => null,
  onIdleSlot(ctx, job, slot) {
    const { params, view } = ctx;
    for (const phase of view.phases(job, slot.kind)) {
      for (const task of view.runningTasks(phase.id)) {
        const attempt = soleAttempt(view, task.id);
        if (attempt === undefined || view.hasRunOn(task.id, slot.node)) continue;
        const ranMs = view.now - attempt.launchedAt;
        if (ranMs < params.ranMsMin) break; // Tasks come in the order of their launches.
        const why = { rule: "oldest", numbers: { ranMs } };
        return [{ kind: "launch", task: task.id, as: "speculative", node: slot.node, why }];
      }
    }
    return refuse(ctx, "none-is-old", () => ({ ranMsMin: params.ranMsMin }));
  },
};

export default definePolicies({
  speculation: [oldest],
  disciplines: [{ name: "oldest", speculation: "oldest" }],
});
