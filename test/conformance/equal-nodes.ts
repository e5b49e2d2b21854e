import { Line } from "../golden/format.ts";
import { Script } from "../golden/script.ts";

export interface Outcome {
  /** Each launch's time, attempt and kind, without its node. */
  readonly launches: readonly string[];
  readonly endedAt: number;
}

/** A job with stragglers on equal nodes whose slots are offered in this order. */
export function runOnEqualNodes(discipline: string, order: readonly string[]): Outcome {
  const launches: string[] = [];
  const script = new Script((_, scheduler) => (event, actions) => {
    for (const action of actions) {
      if (action.kind !== "launch") continue;
      const { phase, index } = scheduler.view.task(action.task);
      launches.push(`${event.at} ${scheduler.view.phase(phase).name}/${index} ${action.as}`);
    }
  });
  for (const command of [
    `discipline ${discipline}`,
    "manual offer",
    "nodes n1 n2 n3 n4 n5 map=2 reduce=1",
    "run j/map/* takes=100s",
    "run j/map/3#0 takes=900s",
    "run j/map/7#0 takes=50s:0.2,900s",
    "run j/reduce/* takes=70s",
    "run j/reduce/1#0 takes=700s",
    "job j map*8 reduce*3<map@0.5",
    "auto offer",
    `offer ${order.join(" ")}`,
    "finish",
  ]) {
    script.run(new Line(command));
  }
  return { launches: launches.sort(), endedAt: script.host.lastAt };
}
