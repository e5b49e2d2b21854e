import { closeSync, mkdtempSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../base/input-error.ts";
import { oneLine } from "../base/printable.ts";
import { checkSeals, type Replayed, type ReplayOptions } from "../core/journal/index.ts";
import { isOfSession, namesOfPlan, replaySession } from "../hosts/yarn/policy/replay.ts";
import type { Registry } from "../policy/registry.ts";
import { type JournalStory, StoryBook, type StoryRow } from "../report/journal-story.ts";
import { counted, seconds } from "../report/quantity.ts";
import { JournalPanel } from "../report/swimlanes/journal-panel.ts";
import { reasonText, whyText } from "../report/why-text.ts";
import { compressionOf, HEAD_BYTES, headOf } from "../trace/open/file-bytes.ts";
import { historyBytes } from "../trace/open/history-bytes.ts";
import { cutOff } from "../trace/open/open-trace.ts";
import { inTemporaryFolder } from "../trace/open/temporary-folder.ts";
import { command, type MakeCommand } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { isPipe } from "./files.ts";
import { outputOption, type PrintFormat } from "./flags.ts";
import { StoredJournal } from "./journal-file.ts";
import { type DrawnRun, drawnRun, drawRuns } from "./journal-picture.ts";
import { jsonText } from "./json-text.ts";
import { mistakenContent } from "./mistaken-file.ts";
import { checkPlace, writePicture } from "./picture-file.ts";
import { type PolicyFlags, policiesOption, registryFrom } from "./policy-files.ts";
import { line, type Shell } from "./shell.ts";
import { right, table } from "./table.ts";

const EXAMPLES = [
  "replay .broomwagon/runs/ID/journal.ndjson",
  "replay off.ndjson late.ndjson.gz --svg both.svg",
];

export const replayCommand: MakeCommand = (shell, end) =>
  command("replay", "replay a journal and verify every decision", EXAMPLES)
    .argument("<journal...>", "journal.ndjson of a run or a simulation, also compressed, or -")
    .option("--svg <file>", "draw the runs, one below the other over one time axis")
    .addOption(policiesOption())
    .addOption(outputOption())
    .action(async (paths: readonly string[], flags: Flags) =>
      end(await replayAll(paths, { ...flags, registry: await registryFrom(flags) }, shell)),
    );

interface Flags extends PolicyFlags {
  readonly svg?: string;
  readonly format: PrintFormat;
}

async function replayAll(
  paths: readonly string[],
  { svg, format, registry }: Flags & { readonly registry: Registry },
  shell: Shell,
): Promise<ExitCode> {
  if (svg !== undefined) checkPlace("--svg", svg);
  const runs = await inTemporaryFolder(async (folder) => {
    const replayed: ReplayedRun[] = [];
    for (const path of paths) {
      replayed.push(replayOne(await plainJournal(path, { folder, registry }), registry));
    }
    return replayed;
  });
  const isJson = format === "json";
  if (isJson) {
    const reports = runs.map(({ report }) => report);
    const [only, second] = reports;
    const all = only === undefined || second !== undefined ? { journals: reports } : only;
    line(shell.out, jsonText("replay", all));
  } else {
    for (const run of runs) line(shell.out, runText(run, shell.out.columns()));
  }
  if (svg !== undefined) writePicture(svg, () => drawRuns(runs.map(({ drawn }) => drawn)));
  return runs.every(({ isSound }) => isSound) ? EXIT.ok : EXIT.failed;
}

interface ReplayedRun {
  readonly report: Report;
  readonly drawn: DrawnRun;
  /** Every line came out the same, and the journal is whole. */
  readonly isSound: boolean;
}

type Report = JournalStory & {
  readonly journal: string;
  readonly replayed: WholeReplay;
  /** The number of the line that is cut off. */
  readonly torn?: number;
  /** Where a compressed journal is cut off. */
  readonly cut?: string;
};

function replayOne(journal: StoredJournal, registry: Registry): ReplayedRun {
  const { path } = journal;
  // A damaged journal must not be reported as a sound one.
  checkSeals(journal.lines(), path);
  const { torn, cut } = journal;
  const ends = { ...(torn !== undefined && { torn }), ...(cut !== undefined && { cut }) };
  const book = new StoryBook(namesIn(journal, registry));
  const picture = new JournalPanel(path);
  const replayed = replayedWhole(journal, {
    registry,
    onHost: (data) => picture.host(data),
    onStep: (step) => {
      book.apply(step);
      picture.step(step);
    },
  });
  const story = book.story(journal.setup.discipline);
  return {
    report: { journal: path, replayed, ...ends, ...story },
    drawn: drawnRun(picture, journal),
    isSound: replayed.kind === "same" && Object.keys(ends).length === 0,
  };
}

function runText({ report }: ReplayedRun, width: number): string {
  const { journal, replayed, torn, cut } = report;
  return [
    verdict(journal, replayed),
    storyText(report, width),
    ...(torn === undefined ? [] : [`${journal}:${torn}: ${CUT_OFF}`]),
    ...(cut === undefined ? [] : [cut]),
  ].join("\n");
}

const CUT_OFF = "the last line is cut off, as after a kill; the lines before it are complete";

/**
 * Replays the steps; for a journal from Hadoop also everything that its ApplicationMaster's child
 * received and sent.
 */
function replayedWhole(
  journal: StoredJournal,
  {
    registry,
    ...listeners
  }: Pick<ReplayOptions, "onStep" | "onHost"> & {
    readonly registry: Registry;
  },
): WholeReplay {
  const steps = journal.replay(listeners);
  const lines = steps.kind === "same" ? [...journal.lines()] : [];
  // A torn journal would not match, since the replay reproduces its missing end.
  const isTorn = journal.torn !== undefined || journal.cut !== undefined;
  if (isTorn || steps.kind !== "same" || !lines.some(isOfSession)) return steps;
  const session = replaySession(lines, journal.path, registry);
  return session.kind === "same" ? { ...steps, commands: session.commands } : session;
}

/**
 * For a job of this project on Hadoop: the names that `run` shows, in place of Hadoop's numbers.
 */
function namesIn(journal: StoredJournal, registry: Registry): ReturnType<typeof namesOfPlan> {
  const lines = [...journal.lines()];
  return lines.some(isOfSession) ? namesOfPlan(lines, journal.path, registry) : undefined;
}

/** `commands`: the number of commands that Hadoop received. */
type WholeReplay =
  | (Extract<Replayed, { kind: "same" }> & { readonly commands?: number })
  | Extract<Replayed, { kind: "different" }>;

function verdict(path: string, replayed: WholeReplay): string {
  if (replayed.kind === "same") {
    const { commands, steps } = replayed;
    const also = commands === undefined ? "" : ` and ${counted(commands, "command")} to Hadoop`;
    return `${path}: ${counted(steps, "step")}${also} replayed, every line the same to the byte`;
  }
  return [
    `${path}:${replayed.line}: replayed differently`,
    `  expected ${replayed.expected}`,
    `  got      ${replayed.got}`,
  ].join("\n");
}

function storyText(story: JournalStory, width: number): string {
  const { discipline, live, actions, passes } = story;
  const rows = withoutRepeats(story.rows).map(({ at, what, who, where, why }) => [
    seconds(at),
    what,
    oneLine(who),
    oneLine(where),
    why === undefined ? "" : whyText(why),
  ]);
  const columns = [
    right("at"),
    { title: "what" },
    { title: "who" },
    { title: "where" },
    { title: "why" },
  ];
  return [
    `  discipline  ${discipline}`,
    `  actions     ${countsText(actions)}`,
    ...(live > 0 ? [`  ${unfinished(live)}`] : []),
    ...(rows.length > 0 ? ["", table(columns, rows, width)] : []),
    ...(Object.keys(passes).length > 0 ? ["", refusalsText(passes, width)] : []),
  ].join("\n");
}

const SUCCEEDED = "job succeeded";

/** A flow has many jobs: of those that succeed one after the other, the last stands for all. */
function withoutRepeats(rows: readonly StoryRow[]): readonly StoryRow[] {
  let repeats = 0;
  return rows.flatMap((row, n) => {
    if (row.what !== SUCCEEDED) return [row];
    repeats += 1;
    if (rows[n + 1]?.what === SUCCEEDED) return [];
    const who = repeats === 1 ? row.who : `${row.who} and ${counted(repeats - 1, "job")} before it`;
    repeats = 0;
    return [{ ...row, who }];
  });
}

/** Refusals by their reason, the most frequent first; the text of two rules may be the same. */
function refusalsText(passes: Readonly<Record<string, number>>, width: number): string {
  const counts = new Map<string, number>();
  for (const [rule, count] of Object.entries(passes)) {
    const reason = reasonText(rule);
    counts.set(reason, (counts.get(reason) ?? 0) + count);
  }
  const most = [...counts].sort(([, a], [, b]) => b - a);
  const columns = [right("times"), { title: "nothing was done because" }];
  const rows = most.map(([reason, count]) => [String(count), reason]);
  return table(columns, rows, width);
}

const unfinished = (live: number): string =>
  `the journal ends while ${counted(live, "job")} ${live === 1 ? "is" : "are"} live`;

const countsText = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");

interface Means {
  readonly folder: string;
  readonly registry: Registry;
}

/**
 * A journal that a replay can read several times: what is compressed, or comes from standard input,
 * is written into the folder first.
 */
async function plainJournal(path: string, { folder, registry }: Means): Promise<StoredJournal> {
  if (path !== "-" && isPipe(path)) {
    const pipe = "a pipe is read from standard input: try `... | broomwagon replay -`";
    throw new InputError("bad-journal", path, `expected a file; ${pipe}`);
  }
  const isPlain = path !== "-" && compressionOf(headOf(path, HEAD_BYTES), path) === "none";
  if (isPlain) return new StoredJournal(path, registry);
  const file = join(mkdtempSync(join(folder, "journal-")), "journal.ndjson");
  const journal = new StoredJournal(path, registry, file);
  const to = openSync(file, "w");
  try {
    const onCut = (place: string, found: string): void => {
      journal.cut = cutOff(place, found);
    };
    for await (const bytes of historyBytes(path, { onCut })) writeSync(to, bytes);
  } finally {
    closeSync(to);
  }
  const mistaken = mistakenContent("replay", path, file);
  if (mistaken !== undefined) throw new InputError("bad-journal", path, mistaken);
  return journal;
}
