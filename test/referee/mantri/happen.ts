import { isDone, isNeeded } from "../driven/books.ts";
import { happen as happenToAll } from "../driven/happen.ts";
import { remake } from "../driven/lose.ts";
import * as told from "./tell.ts";
import { type MantriWorld, nothing } from "./world.ts";

/** What happens at a moment, with links, replicas and missed outputs. */
export function happen(world: MantriWorld): void {
  const { dice, plan } = world;
  if (dice.chance(plan.sampled)) sample(world);
  happenToAll(world);
  if (dice.chance(0.3)) missSome(world);
  if (dice.chance(0.4)) copyOne(world);
}

function sample(world: MantriWorld): void {
  const { dice, plan, sampled } = world;
  const rack = dice.whole(0, plan.racks - 1);
  const [up, down] = [dice.pick([10, 1_000, 12_500]), dice.pick([10, 1_000, 12_500])];
  sampled.set(rack, { up, down });
  world.send(told.sampled(rack, up, down));
}

/** A running reader misses an output that no node has. */
function missSome(world: MantriWorld): void {
  const { books, dice, protection } = world;
  const misses = books.holding().flatMap((reader) =>
    reader.state === "running" && !isDone(reader.task)
      ? reader.task.phase.reads
          .flatMap(({ tasks }) => tasks)
          .filter((task) => isDone(task) && task.outputs.size === 0)
          .map((task) => ({ reader, task }))
      : [],
  );
  if (misses.length === 0) return;
  const { reader, task } = dice.pick(misses);
  const from = task.attempts.findLast(({ state }) => state === "succeeded")!.node;
  const expected = nothing();
  if (isNeeded(task)) {
    world.remakeAsked(protection.lost(books, task, "missed"), expected);
    // Whatever the budget: otherwise the reader would wait for ever.
    remake(task, expected.recomputes);
  }
  world.send(told.missed(reader, task, from), expected);
}

/** The host has made a replica, on another machine of the rack. */
function copyOne(world: MantriWorld): void {
  const { books, copying, protection } = world;
  const next = copying.shift();
  if (next === undefined || next.task.phase.job.ended || next.task.outputs.size === 0) return;
  const { task, rack } = next;
  const node = books.joined.find((one) => one.rack === rack && !task.outputs.has(one));
  if (node === undefined) return;
  task.outputs.add(node);
  node.made.add(task);
  protection.keep(books, task, node);
  world.send(told.replicated(task, node));
}
