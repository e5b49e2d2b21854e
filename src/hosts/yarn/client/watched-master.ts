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
  /** Which one of the job's masters it is, from 1. */
  readonly attempt: number;
  /** Attempts that it said have failed; an earlier master may know of others. */
  readonly failed = new Set<string>();

  constructor({ container, hostWeb }: Pick<ContainerFile, "container" | "hostWeb">) {
    this.container = container;
    this.hostWeb = hostWeb;
    // `container_1_0001_02_000001`, where a ResourceManager was started anew `container_e17_1_...`.
    this.attempt = Number(/_(\d+)_\d+$/.exec(container)?.[1] ?? 1);
  }
}
