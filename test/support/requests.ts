import type { Action } from "../../src/model/action.ts";
import { Script } from "../golden/script.ts";
import type { World } from "./world.ts";

/** The time and task of a request, as "75s 3". */
export const requestsOf = (world: World): string[] =>
  world.actions.flatMap(({ at, action }) =>
    action.kind === "request" ? [`${at / 1_000}s ${action.task}`] : [],
  );

type Requested = Extract<Action, { kind: "request" }>;

/**
 * A script and its requests: each as `told`, or with its time and the index of its task: "75s 3".
 */
export function scriptOfRequests(told?: (request: Requested) => string): {
  readonly script: Script;
  readonly requests: readonly string[];
} {
  const requests: string[] = [];
  const script = new Script((_, { view }) => ({ at }, actions) => {
    for (const action of actions) {
      if (action.kind !== "request") continue;
      requests.push(told?.(action) ?? `${at / 1_000}s ${view.task(action.task).index}`);
    }
  });
  return { script, requests };
}
