import { basename } from "node:path";
import { InputError } from "../base/input-error.ts";
import { parseJson } from "../base/json.ts";
import {
  checkSeals,
  parseJournal,
  type Replayed,
  type ReplayedStep,
  replay,
  type SetupDescription,
} from "../core/journal/index.ts";
import { isOfSession, namesOfPlan, replaySession } from "../hosts/yarn/policy/replay.ts";
import { restoreDiscipline } from "../policy/discipline.ts";
import type { Discipline, DisciplineDescription } from "../policy/policy.ts";
import { type JournalStory, StoryBook } from "../report/journal-story.ts";
import { counted, seconds } from "../report/quantity.ts";
import { drawSwimlanes } from "../report/swimlanes/draw.ts";
import { type Story, StoryTeller, subtitleOf } from "../report/swimlanes/story.ts";
import { command, type Register } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { endsInMidLine, isPipe, readLines } from "./files.ts";
import { outputOption, type PrintFormat } from "./flags.ts";
import { jsonText } from "./json-text.ts";
import { checkPlace, writePicture } from "./picture-file.ts";
import { line, type Shell } from "./shell.ts";
import { table } from "./table.ts";

const EXAMPLES = ["replay .broomwagon/runs/ID/journal.ndjson"];

export const registerReplay: Register = (program, shell, end) => {
  program.addCommand(
    command("replay", "run a journal's events again: every line must come out the same", EXAMPLES)
      .argument("<journal>", "a journal.ndjson of a run or a simulation")
      .option("--svg <file>", "draw what the journal tells: rows by node and slot")
      .addOption(outputOption())
      .action((path: string, flags: Flags) => end(replayJournal(path, flags, shell))),
  );
};

interface Flags {
  readonly svg?: string;
  readonly format: PrintFormat;
}

function replayJournal(path: string, { svg, format }: Flags, shell: Shell): ExitCode {
  if (svg !== undefined) checkPlace("--svg", svg);
  if (isPipe(path)) {
    throw new InputError("bad-journal", path, "expected a file, since it is read more than once");
  }
  let torn: number | undefined;
  const lines = journalLines(path, (number) => {
    torn = number;
  });
  // A damaged journal must not be reported as a sound one.
  checkSeals(lines, path);
  const book = new StoryBook(namesIn(path));
  const picture = new StoryTeller();
  const replayed = replayedWhole(path, torn !== undefined, (step) => {
    book.apply(step);
    if (svg !== undefined) for (const fact of step.facts) picture.apply(fact);
  });
  const { setup } = parseJournal(journalLines(path), path);
  const story = book.story(setup.discipline);
  const text =
    format === "json"
      ? jsonText({ journal: path, replayed, ...(torn !== undefined && { torn }), ...story })
      : [
          verdict(path, replayed),
          storyText(story, shell.out.columns()),
          ...(torn === undefined ? [] : [`${path}:${torn}: ${CUT_OFF}`]),
        ].join("\n");
  line(shell.out, text);
  if (svg !== undefined) writePicture(svg, () => pictureOf(path, setup, picture.tell()));
  return replayed.kind === "same" && torn === undefined ? EXIT.ok : EXIT.failed;
}

const CUT_OFF =
  "the line is cut off, as when its writer is killed; what is above stands for itself";

/**
 * Replays the steps; for a journal from Hadoop also everything that its ApplicationMaster's child
 * received and sent.
 */
function replayedWhole(
  path: string,
  isTorn: boolean,
  onStep: (step: ReplayedStep) => void,
): WholeReplay {
  const restore = (described: DisciplineDescription) => restored(described, path);
  const steps = replay(journalLines(path), restore, { place: path, onStep });
  const lines = steps.kind === "same" ? [...journalLines(path)] : [];
  // A torn journal would not match, since the replay reproduces its missing end.
  if (isTorn || steps.kind !== "same" || !lines.some(isOfSession)) return steps;
  const session = replaySession(lines, path);
  return session.kind === "same" ? { ...steps, commands: session.commands } : session;
}

/**
 * For a job of this project on Hadoop: the names that `run` shows, in place of Hadoop's numbers.
 */
function namesIn(path: string): ReturnType<typeof namesOfPlan> {
  const lines = [...journalLines(path)];
  return lines.some(isOfSession) ? namesOfPlan(lines, path) : undefined;
}

/** `commands`: the number of commands that Hadoop received. */
type WholeReplay =
  | (Extract<Replayed, { kind: "same" }> & { readonly commands?: number })
  | Extract<Replayed, { kind: "different" }>;

/** The journal does not record the faults that caused its events. */
function pictureOf(path: string, setup: SetupDescription, story: Story): string {
  return drawSwimlanes({
    story,
    marks: [],
    slotKinds: setup.slotKinds,
    title: `${basename(path)} under ${setup.discipline.name}`,
    subtitle: subtitleOf(story),
  });
}

/** An unknown name in the first line is a mistake of the journal. */
function restored(described: DisciplineDescription, path: string): Discipline {
  try {
    return restoreDiscipline(described);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError("bad-journal", `${path}:1`, error.message);
  }
}

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
  const rows = story.rows.map(({ at, what, who, where, why }) => [
    seconds(at),
    what,
    who,
    where,
    why,
  ]);
  const columns = [
    { title: "at", align: "right" as const },
    { title: "what" },
    { title: "who" },
    { title: "where" },
    { title: "why" },
  ];
  return [
    `  discipline  ${discipline}`,
    `  actions     ${countsText(actions)}`,
    ...(Object.keys(passes).length > 0 ? [`  refusals    ${countsText(passes)}`] : []),
    ...(live > 0 ? [`  ${unfinished(live)}`] : []),
    ...(rows.length > 0 ? ["", table(columns, rows, width)] : []),
  ].join("\n");
}

const unfinished = (live: number): string =>
  `the journal ends while ${counted(live, "job")} ${live === 1 ? "is" : "are"} live`;

const countsText = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");

/**
 * The whole lines of a journal. If the last line is cut off, as by a crash during its write, its
 * number goes to `torn`.
 */
function* journalLines(
  path: string,
  torn: (line: number) => void = () => {},
): Generator<string, void> {
  let number = 0;
  let last: string | undefined;
  for (const line of readLines(path)) {
    if (last !== undefined) yield last;
    last = line;
    number += 1;
  }
  if (last === undefined) return;
  // A first line that is cut off is an error, not a torn journal.
  if (number > 1 && !parseJson(last).ok && endsInMidLine(path)) torn(number);
  else yield last;
}
