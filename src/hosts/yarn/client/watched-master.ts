import { LogFollower } from "./container-log.ts";
import { TasksLookedAt } from "./tasks-looked-at.ts";
import type { ContainerFile } from "./yarn-rest.ts";

/** One of a job's masters, and how far it has been looked at. */
export class WatchedMaster {
  /** Its own, whose log directory has what the policies say. */
  readonly container: string;
  /** `n1:8042`: the pages of its node. */
  readonly hostWeb: string;
  readonly log = new LogFollower();
  readonly lookedAt = new TasksLookedAt();
  /** Attempts that it said have failed; an earlier master may know of others. */
  readonly failed = new Set<string>();

  constructor({ container, hostWeb }: Pick<ContainerFile, "container" | "hostWeb">) {
    this.container = container;
    this.hostWeb = hostWeb;
  }
}
