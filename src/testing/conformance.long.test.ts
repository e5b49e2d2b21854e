import { describe, expect, test } from "vitest";
import oldest from "../../examples/your-own-policy.ts";
import type { Ask } from "../model/action.ts";
import { soleAttempt } from "../model/sole-attempt.ts";
import { definePolicies } from "../policy/own-policies.ts";
import type { SpeculationPolicy } from "../policy/policy.ts";
import { checkConformance, conformanceTests } from "./index.ts";

const sets = ["speculation.ranMsMin=1000"];

describe("the example conforms:", () => {
  for (const { name, run } of conformanceTests(oldest, { sets })) test(name, run);
});

type Hook = NonNullable<SpeculationPolicy["onIdleSlot"]>;

/** The failures of a policy with this answer to idle slots. */
function failures(onIdleSlot: Hook, more: Partial<SpeculationPolicy> = {}): string {
  const policy: SpeculationPolicy = {
    name: "wrong",
    source: "test",
    params: {},
    needs: ["slot-offers"],
    remember: () => new Map(),
    onIdleSlot,
    ...more,
  };
  return checkConformance(definePolicies({ speculation: [policy] })).join("\n");
}

/** A copy of the first task that runs alone, changed. */
const copy =
  (change: (ask: Ask & { kind: "launch" }, ctx: Parameters<Hook>[0]) => readonly Ask[]): Hook =>
  (ctx, job, { kind, node }) => {
    for (const { id } of ctx.view.phases(job, kind)) {
      for (const task of ctx.view.runningTasks(id)) {
        if (soleAttempt(ctx.view, task.id) === undefined) continue;
        if (ctx.view.hasRunOn(task.id, node)) continue;
        const why = { rule: "test", numbers: {} };
        return change({ kind: "launch", task: task.id, as: "speculative", node, why }, ctx);
      }
    }
    return [];
  };

const WHY = { rule: "test", numbers: {} };

describe("a policy that does not conform gets the fault, its place and the cure:", () => {
  test("the copy itself is fine", () => {
    expect(failures(copy((ask) => [ask]))).toBe("");
  });

  test.each<readonly [string, Hook, string, string]>([
    ["never acts", () => [], "never saw speculative", "give `sets` under which the policy acts"],
    [
      "another node",
      copy((ask, { view }) => [{ ...ask, node: [...view.nodes()].at(-1)?.id ?? ask.node }]),
      "expected a launch on",
      "the message names the hook",
    ],
    [
      "a copy on the original's node",
      (ctx, job, { kind, node }) => {
        for (const { id } of ctx.view.phases(job, kind)) {
          for (const { id: task } of ctx.view.runningTasks(id)) {
            if (soleAttempt(ctx.view, task)?.node !== node) continue;
            return [{ kind: "launch", task, as: "speculative", node, why: WHY }];
          }
        }
        return [];
      },
      "a copy runs on another node",
      "pass over tasks that have run on the node",
    ],
    [
      "more and more copies",
      (ctx, job, { kind, node }) => {
        for (const { id } of ctx.view.phases(job, kind)) {
          for (const { id: task } of ctx.view.runningTasks(id)) {
            if (ctx.view.hasRunOn(task, node)) continue;
            return [{ kind: "launch", task, as: "speculative", node, why: WHY }];
          }
        }
        return [];
      },
      "not too many copies of one task",
      "pass over tasks that have a copy",
    ],
    [
      "a decision by a hidden variable",
      copy((ask) => (hidden++ % 3 === 0 ? [ask] : [])),
      "gives the same answers twice",
      "decide by `view`, `params`, `memory` and `ctx.random()` alone",
    ],
    [
      "a decision by whether someone reads",
      copy((ask, ctx) => (ctx.explains ? [ask] : [])),
      "decides the same with and without explanations",
      "`ctx.explains` may decide about a `pass` alone",
    ],
  ])("%s", (_, hook, what, cure) => {
    const found = failures(hook);
    expect(found).toContain(what);
    expect(found).toContain(`cure: ${cure}`);
  });

  test("a function in the memory", () => {
    const remember = () => ({ count: () => 1 });
    const found = failures(
      copy((ask) => [ask]),
      { remember },
    );
    expect(found).toContain("has a memory that survives cloning at every step");
    expect(found).toContain("cure: keep plain data");
  });
});

let hidden = 0;
