import type { KillThen } from "../model/action.ts";

/** A kill, and the fate of the task. */
export const KILL_WORDS: Readonly<Record<KillThen, string>> = {
  restart: "kill to restart",
  requeue: "kill to run again",
  nothing: "kill",
};
