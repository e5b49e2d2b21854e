import { expect, test } from "vitest";
import { InputError } from "../../src/base/input-error.ts";
import { createScheduler, type Scheduler } from "../../src/core/index.ts";
import type { ClusterEvent } from "../../src/model/event.ts";
import type { View } from "../../src/model/view.ts";
import { Dice } from "../../src/testing/dice.ts";
import { planWorld } from "../../src/testing/plan.ts";
import { World } from "./world.ts";

/** BROOMWAGON_FUZZ=1000000 sets the number of events. */
const EVENTS = Number(process.env.BROOMWAGON_FUZZ ?? 30_000);

const TIMEOUT_MS = 60_000 + EVENTS * 6;

/** Mistaken values for a number, a text or a list. */
const WRONG: readonly unknown[] = [
  Number.NaN,
  Number.POSITIVE_INFINITY,
  -1,
  -3,
  0,
  1.5,
  7,
  100,
  1e9,
  1e300,
  "",
  "nonsense",
  null,
  undefined,
  [],
  {},
  true,
];

type Path = readonly (string | number)[];

function* pathsIn(value: unknown, path: Path = []): Generator<Path> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const own = [...path, Array.isArray(value) ? Number(key) : key];
    yield own;
    yield* pathsIn(inner, own);
  }
}

/** The event with another value at a path. */
function changed(value: unknown, [key, ...rest]: Path, wrong: unknown): unknown {
  if (key === undefined) return wrong;
  const copy: unknown = Array.isArray(value) ? [...value] : { ...(value as object) };
  Reflect.set(copy as object, key, changed(Reflect.get(copy as object, key), rest, wrong));
  return copy;
}

/** One field of the event is wrong, or two events are swapped, or an event is repeated. */
function mistaken(dice: Dice, event: ClusterEvent, other: ClusterEvent): ClusterEvent {
  if (dice.chance(0.3)) return { ...other, at: event.at };
  const paths = [...pathsIn(event)];
  const path = paths[dice.upTo(paths.length - 1)] ?? ["at"];
  return changed(event, path, WRONG[dice.upTo(WRONG.length - 1)]) as ClusterEvent;
}

/** All events from a random world to its scheduler. */
function recorded(seed: number): { readonly world: World; readonly events: ClusterEvent[] } {
  const world = new World({ ...planWorld(seed), offersSlots: true }, { explain: false });
  const events: ClusterEvent[] = [];
  const step = world.scheduler.step.bind(world.scheduler);
  Reflect.set(world.scheduler, "step", (event: ClusterEvent) => {
    events.push(event);
    return step(event);
  });
  world.run();
  return { world, events };
}

/** The state that is visible from outside. */
function digest(view: View): string {
  const parts: unknown[] = [view.now];
  for (const kind of view.kinds) {
    parts.push(view.slots(kind), view.waiting(kind), view.running(kind));
    for (const rack of view.racks) parts.push(view.freeSlots(rack, kind));
  }
  for (const { id } of view.nodes()) {
    parts.push(id, view.silentSince(id), view.nodeProgress(id), view.runningOn(id).length);
  }
  for (const job of view.jobs()) {
    for (const { id } of job.phases) parts.push(view.counts(id), view.meanProgress(id));
  }
  return JSON.stringify(parts);
}

type Told = "refused" | ReturnType<Scheduler["step"]>;

function tell(scheduler: Scheduler, event: ClusterEvent): Told {
  try {
    return scheduler.step(event);
  } catch (error) {
    if (error instanceof InputError && error.code === "bad-event") return "refused";
    throw new Error(`not refused: ${JSON.stringify(event)}`, { cause: error });
  }
}

test(
  "a wrong event is refused or ignored, and a refused one leaves no trace",
  () => {
    const refused = new Map<string, number>();
    let told = 0;
    for (let seed = 1; told < EVENTS; seed++) {
      const { world, events } = recorded(seed);
      const dice = new Dice(seed);
      const one = createScheduler(world.setup, { explain: false });
      // The twin gets only the events that the other scheduler accepts.
      const twin = createScheduler(world.setup, { explain: false });
      for (const event of events) {
        const wrong = dice.chance(0.5)
          ? mistaken(dice, event, events[dice.upTo(events.length - 1)] ?? event)
          : undefined;
        for (const next of wrong === undefined ? [event] : [wrong, event]) {
          told++;
          const answer = tell(one, next);
          if (answer === "refused") {
            refused.set(next.kind, (refused.get(next.kind) ?? 0) + 1);
            expect(digest(one.view), `world ${seed}: ${next.kind}`).toBe(digest(twin.view));
          } else expect(answer, `world ${seed}: ${next.kind}`).toEqual(twin.step(next));
        }
      }
    }
    const kinds = ["job-submitted", "node-joined", "slots-offered", "attempt-progressed"];
    for (const kind of kinds) expect(refused.get(kind), kind).toBeGreaterThan(10);
  },
  TIMEOUT_MS,
);
