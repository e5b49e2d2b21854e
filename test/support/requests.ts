import { Script } from "../golden/script.ts";
import type { World } from "./world.ts";

/** The time and task of a request, as "75s 3". */
export const requestsOf = (world: World): string[] =>
  world.actions.flatMap(({ at, action }) =>
    action.kind === "request" ? [`${at / 1_000}s ${action.task}`] : [],
  );

/** Runs a script; returns its requests with time and task index, as "75s 3". */
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
