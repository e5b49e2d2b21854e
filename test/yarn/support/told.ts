import type {
  AmLine,
  DoneLine,
  EndedLine,
  HelloLine,
  NodeLine,
  RecoveredLine,
  RefusedLine,
  StartedLine,
} from "../../../src/hosts/yarn/policy/am-line.ts";
import type { CopyLine, PolicyLine } from "../../../src/hosts/yarn/policy/policy-line.ts";

type KillLine = Extract<PolicyLine, { readonly type: "kill" }>;

type ReadyLine = Extract<PolicyLine, { readonly type: "ready" }>;

type CommandLine = Extract<PolicyLine, { readonly command: number }>;

/** The messages between an ApplicationMaster and its child, from the journal of a job. */
export interface Told {
  readonly hello: HelloLine | undefined;
  readonly ready: ReadyLine | undefined;
  /** The number of commands, of all kinds. */
  readonly commands: number;
  readonly given: readonly CommandLine[];
  readonly copies: readonly CopyLine[];
  readonly kills: readonly KillLine[];
  readonly done: readonly DoneLine[];
  readonly refused: readonly RefusedLine[];
  readonly started: readonly StartedLine[];
  readonly ended: readonly EndedLine[];
  readonly recovered: readonly RecoveredLine[];
  readonly nodes: readonly NodeLine[];
}

export function toldIn(journal: string): Told {
  const lines = journal.split("\n").flatMap((text): readonly (AmLine | PolicyLine)[] => {
    if (text === "") return [];
    const { host } = JSON.parse(text) as { host?: { line: AmLine | PolicyLine } };
    return host === undefined ? [] : [host.line];
  });
  const of = <K extends (AmLine | PolicyLine)["type"]>(type: K) =>
    lines.filter((line): line is Extract<AmLine | PolicyLine, { type: K }> => line.type === type);
  const given = lines.filter(
    (line): line is CommandLine =>
      line.type === "copy" || line.type === "kill" || line.type === "withdraw",
  );
  return {
    hello: of("hello")[0],
    ready: of("ready")[0],
    commands: given.length,
    given,
    copies: of("copy"),
    kills: of("kill"),
    done: of("done"),
    refused: of("refused"),
    started: of("started"),
    ended: of("ended"),
    recovered: of("recovered"),
    nodes: of("node"),
  };
}

/** The attempt that a copy became, and where it ran; undefined if it did not. */
export function runOf(told: Told, { command }: CopyLine): StartedLine | undefined {
  const attempt = told.done.find((line) => line.command === command)?.attempt;
  return told.started.find((line) => line.attempt === attempt);
}

/** The host on which the first attempt of the task ran. */
export const firstHost = (told: Told, task: string): string | undefined =>
  told.started.find((line) => line.task === task)?.host;

/**
 * The started attempts, as Hadoop's history must have them: copies that the policies requested are
 * `SPECULATIVE`.
 */
export function avataarsIn(told: Told): readonly (readonly [string, string])[] {
  const copied = new Set(told.copies.map((copy) => runOf(told, copy)?.attempt));
  return told.started.map(({ attempt }) => [
    attempt,
    copied.has(attempt) ? "SPECULATIVE" : "VIRGIN",
  ]);
}
