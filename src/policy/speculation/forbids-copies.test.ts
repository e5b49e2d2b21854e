import { expect, test } from "vitest";
import { steadily } from "../../../test/support/curves.ts";
import { World } from "../../../test/support/world.ts";
import type { Ask, Slot } from "../../model/action.ts";
import { instant, type JobId } from "../../model/ids.ts";
import { soleAttempt } from "../../model/sole-attempt.ts";
import { rule } from "../../model/why.ts";
import { parseDiscipline } from "../discipline.ts";
import { type Context, type Discipline, type SpeculationPolicy, use } from "../policy.ts";
import { REGISTRY } from "../registry.ts";

/** A job with a straggler that every policy would copy. */
function worldOf(discipline: Discipline, speculate?: boolean): World {
  const world = new World({
    discipline,
    nodes: 8,
    slots: [1],
    slotKinds: ["map"],
    runs: ({ task, as }) => steadily(as === "original" && task.index === 0 ? 900_000 : 20_000),
  });
  world.submit({ maps: 16, ...(speculate === undefined ? {} : { speculate }) });
  world.advance(300_000);
  return world;
}

const under = (policy: string): Discipline =>
  parseDiscipline(`none,speculation=${policy},sharing=fifo-plain`);

const policies = REGISTRY.speculation
  .map(({ policy }) => policy.name)
  .filter((name) => name !== "none");

/** Copies, and restarts. */
const second = (world: World): string[] =>
  world.launches().filter((launch) => !launch.includes(" original "));

test.each(policies)("%s copies no task of a job that forbids it, and says so", (policy) => {
  expect(second(worldOf(under(policy)))).toHaveLength(1);
  expect(second(worldOf(under(policy), true))).toHaveLength(1);
  const forbidden = worldOf(under(policy), false);
  expect(second(forbidden)).toEqual([]);
  expect(new Set(forbidden.refusals())).toEqual(new Set(["job-forbids-copies"]));
});

/** Two phases side by side, each with a straggler; the first one's would end last. */
function sideBySide(discipline: Discipline, forbids: readonly ("a" | "b")[]): World {
  const world = new World({
    discipline,
    nodes: 16,
    slots: [1],
    slotKinds: ["map"],
    runs: ({ task, as }) =>
      steadily(as !== "original" || task.index > 0 ? 20_000 : task.phase === A ? 900_000 : 600_000),
  });
  const phase = (name: "a" | "b") => ({
    name,
    tasks: 24,
    slots: ["map"],
    speculate: !forbids.includes(name),
  });
  world.submit({ phases: [phase("a"), phase("b")] });
  world.advance(300_000);
  return world;
}

const A = 0;

/** The phases of the tasks that ran a second time. */
const phasesOf = (world: World): string[] => [
  ...new Set(second(world).map((launch) => launch.slice(0, launch.indexOf("/")))),
];

test.each(policies)("%s copies tasks of the phases alone that allow it", (policy) => {
  expect(phasesOf(sideBySide(under(policy), [])).toSorted()).toEqual(["a", "b"]);
  expect(phasesOf(sideBySide(under(policy), ["a"]))).toEqual(["b"]);
  const forbidden = sideBySide(under(policy), ["a", "b"]);
  expect(second(forbidden)).toEqual([]);
  expect(forbidden.refusals()).toContain("phase-forbids-copies");
});

/** A user's policy that never checks whether the job allows copies. */
const heedless: SpeculationPolicy<object, null> = {
  name: "heedless",
  source: "test",
  params: {},
  needs: [],
  remember: () => null,
  onIdleSlot: copyAnything,
  onContendedSlot: copyAnything,
  scan(ctx) {
    const jobs = [...ctx.view.jobs()];
    const asks = jobs
      .flatMap(({ id }) => tasksAlone(ctx, id))
      .map((task): Ask => {
        return { kind: "request", task, as: "speculative", where: { on: "any" }, why: HEEDLESS };
      });
    return [...asks, { kind: "wake", at: instant(ctx.view.now + 10_000) }];
  },
};

const HEEDLESS = rule("heedless");

function copyAnything(ctx: Context<object, null>, job: JobId, { node }: Slot): readonly Ask[] {
  const [task] = tasksAlone(ctx, job).filter((id) => !ctx.view.hasRunOn(id, node));
  if (task === undefined) return [];
  return [{ kind: "launch", task, as: "speculative", node, why: HEEDLESS }];
}

const tasksAlone = ({ view }: Context<object, null>, job: JobId) =>
  view
    .phases(job)
    .flatMap(({ id }) =>
      [...view.runningTasks(id)].flatMap((task) =>
        soleAttempt(view, task.id) === undefined || view.counts(id).requested > 0 ? [] : [task.id],
      ),
    );

test("a policy that never asks whether the job forbids copies makes none either", () => {
  const discipline = { ...under("none"), speculation: use(heedless) };
  expect(second(worldOf(discipline)).length).toBeGreaterThan(1);
  const forbidden = worldOf(discipline, false);
  expect(second(forbidden)).toEqual([]);
  expect(forbidden.refusals()).toContain("job-forbids-copies");
});
