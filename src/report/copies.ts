import { never } from "../base/assert.ts";
import type { AttemptKind } from "../model/attempt.ts";
import { seconds } from "./quantity.ts";

/** An attempt, as results of runs have it. Times in ms since the run began. */
export interface EndedAttempt {
  /** `job/phase/index` */
  readonly task: string;
  readonly as: AttemptKind;
  readonly node: string;
  readonly launchedAt: number;
  readonly endedAt: number;
  readonly slotMs: number;
  readonly end:
    | { readonly kind: "succeeded" | "killed" | "lost" }
    | { readonly kind: "failed"; readonly message: string };
}

/** A speculative copy, and what became of it. */
export interface CopyAccount {
  readonly copy: EndedAttempt;
  /** The attempt that the copy ran beside; undefined if the original had ended before. */
  readonly original: EndedAttempt | undefined;
  /** The original's node was dead, so that the original could not have ended. */
  readonly isOriginalDead: boolean;
}

/** The speculative copies, in the order of launch. */
export function copyAccounts(of: {
  readonly attempts: readonly EndedAttempt[];
  readonly nodes: readonly { readonly name: string; readonly killed?: true }[];
}): readonly CopyAccount[] {
  const { attempts, nodes } = of;
  const dead = new Set(nodes.filter(({ killed }) => killed).map(({ name }) => name));
  const byTask = new Map<string, EndedAttempt[]>();
  for (const one of attempts) {
    const others = byTask.get(one.task);
    if (others === undefined) byTask.set(one.task, [one]);
    else others.push(one);
  }
  return attempts
    .filter(({ as }) => as === "speculative")
    .map((copy): CopyAccount => {
      const beside = (byTask.get(copy.task) ?? []).filter(
        (one) => one !== copy && one.launchedAt <= copy.launchedAt && one.endedAt > copy.launchedAt,
      );
      const [original] = beside;
      const isOriginalDead = original?.end.kind === "lost" || dead.has(original?.node ?? "");
      return { copy, original, isOriginalDead };
    });
}

/**
 * What became of a copy, in one sentence, with times since the run began. The time that a copy
 * saved is no fact: the diagnosis estimates it.
 */
export function copySentence({ copy, original, isOriginalDead }: CopyAccount): string {
  const name = shortName(copy.task);
  const place = original === undefined ? "" : ` on ${original.node}`;
  const [ran, ended] = [seconds(copy.slotMs), seconds(copy.endedAt)];
  switch (copy.end.kind) {
    case "succeeded": {
      const own = `its copy on ${copy.node} took ${ran} and ended`;
      if (isOriginalDead) return `${name}${place} had died with its node; ${own} at ${ended}`;
      if (original === undefined) return `${name} ran nowhere else; ${own} at ${ended}`;
      const soFar = seconds(Math.min(original.endedAt, copy.endedAt) - original.launchedAt);
      return `${name}${place} had run for ${soFar}; ${own} first, at ${ended}`;
    }
    case "killed": {
      const reason =
        original?.end.kind === "succeeded"
          ? `the original${place} ended first, at ${seconds(original.endedAt)}`
          : `killed at ${ended}`;
      const who = `the copy of ${name} on ${copy.node}`;
      return `${who} was not needed (${reason}): ${ran} of slot time wasted`;
    }
    case "failed":
      return `the copy of ${name} on ${copy.node} failed after ${ran}: ${copy.end.message}`;
    case "lost":
      return `the copy of ${name} on ${copy.node} was lost with its node after ${ran}`;
    default:
      return never(copy.end);
  }
}

/** Without the job's name. */
const shortName = (task: string): string => task.slice(task.indexOf("/") + 1);
