import { expect, test } from "vitest";
import { World } from "../../../test/support/world.ts";
import { parseDiscipline } from "../../policy/discipline.ts";
import { type Discipline, type Hears, type Policy, type Used, use } from "../../policy/policy.ts";

/** The policies of a discipline, which also list the events that they hear. */
function noting(discipline: Discipline, heard: string[]): Discipline {
  const note = <T extends Policy<object, unknown>>({ policy, params }: Used<T>): Used<T> => {
    const hears: Hears<object, unknown> = {
      ...policy.hears,
      "job-submitted"(ctx, what) {
        policy.hears?.["job-submitted"]?.(ctx, what);
        heard.push(`${policy.name} ${what.job.name}`);
      },
    };
    return { policy: { ...policy, hears }, params };
  };
  return {
    name: discipline.name,
    sharing: note(discipline.sharing),
    order: note(discipline.order),
    speculation: note(discipline.speculation),
    data: discipline.data.map(note),
    estimator: note(discipline.estimator),
    detection: note(discipline.detection),
  };
}

function heardOf(discipline: string): readonly string[] {
  const heard: string[] = [];
  const world = new World({ discipline: noting(parseDiscipline(discipline), heard), nodes: 1 });
  world.submit({ maps: 1 });
  world.finish();
  return heard.map((line) => line.split(" ")[0] ?? "");
}

test("the estimator hears first, so that its estimates are up to date for the others", () => {
  const seats = ["progress-rate", "fixed-expiry", "hadoop", "mantri-placement", "fifo", "late"];
  expect(heardOf("late,data=mantri-placement")).toEqual(seats);
});

test("the estimator hears nothing if no policy could ask for estimates", () => {
  expect(heardOf("none")).toEqual(["fixed-expiry", "hadoop", "fifo", "none"]);
});

test("a policy gets only the kinds of events that it hears", () => {
  const kinds: string[] = [];
  const { speculation, ...rest } = parseDiscipline("none,sharing=fifo-plain");
  const hears: Hears<object, unknown> = {
    "job-ended": (_, what) => kinds.push(what.kind),
    "attempt-assumed": (_, what) => kinds.push(what.kind),
    "attempt-started": (_, what) => kinds.push(what.kind),
  };
  const policy = { ...speculation.policy, hears };
  const world = new World({ discipline: { ...rest, speculation: use(policy) }, nodes: 1 });
  world.submit({ maps: 1 });
  world.finish();
  expect(kinds).toEqual(["attempt-assumed", "attempt-started", "job-ended"]);
});
