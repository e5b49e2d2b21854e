import type { Judged } from "../referee.ts";
import { submit } from "./happen.ts";
import { joined } from "./tell.ts";
import type { World } from "./world.ts";

const MOMENTS_MAX = 400;

/** Goes from moment to moment until all jobs have ended, or to the first difference. */
export function drive<W extends World>(world: W, happen: (world: W) => void): Judged {
  const { books, dice, plan } = world;
  for (const node of books.nodes) world.send(joined(node));
  const arrivals = [...books.jobs];
  for (let moment = 0; moment < MOMENTS_MAX && world.difference === undefined; moment++) {
    while (arrivals[0] !== undefined && arrivals[0].submittedAt <= books.now) {
      submit(world, arrivals[0]);
      arrivals.shift();
    }
    happen(world);
    for (const node of dice.shuffled(books.joined)) world.offer(node);
    if (arrivals.length === 0 && books.jobs.every(({ ended }) => ended)) break;
    world.heardAt = books.now;
    const to = books.now + dice.whole(...plan.tick);
    world.advance(Math.min(to, Math.max(arrivals[0]?.submittedAt ?? to, books.now + 1)));
  }
  return { compared: world.counts.counts, difference: world.difference };
}
