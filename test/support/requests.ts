import { Script } from "../golden/script.ts";
import type { World } from "./world.ts";

/** When which task was asked for, as "75s 3". */
export const requestsOf = (world: World): string[] =>
  world.actions.flatMap(({ at, action }) =>
    action.kind === "request" ? [`${at / 1_000}s ${action.task}`] : [],
  );

/** A script, and what it asks for as it runs: when, and of which task of its phase, as "75s 3". */
export function scriptOfRequests(): {
  readonly script: Script;
  readonly requests: readonly string[];
} {
  const requests: string[] = [];
  const script = new Script((_, scheduler) => (event, actions) => {
    for (const action of actions) {
      if (action.kind !== "request") continue;
      requests.push(`${event.at / 1_000}s ${scheduler.view.task(action.task).index}`);
    }
  });
  return { script, requests };
}
