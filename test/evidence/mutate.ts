import { gzipSync } from "node:zlib";
import type { Dice } from "../diagnose/support/dice.ts";
import type { History } from "./histories.ts";

/** What a history becomes: a file, or the files of a directory. */
export type Mutated =
  | { readonly kind: "file"; readonly bytes: Uint8Array }
  | { readonly kind: "directory"; readonly files: ReadonlyMap<string, Uint8Array> };

export interface Mutation {
  readonly name: string;
  /**
   * Whether what was done can be seen. A flipped digit of a time cannot be, nor what stands in
   * another order by its own times.
   */
  readonly isSeen: boolean;
  /** undefined if it does not apply to the history. */
  readonly apply: (history: History, other: History, dice: Dice) => Mutated | undefined;
}

type OfLines = (
  lines: string[],
  others: readonly string[],
  dice: Dice,
) => readonly string[] | undefined;

/** A mutation of a format that has lines. */
export const ofLines = (name: string, isSeen: boolean, change: OfLines): Mutation => ({
  name,
  isSeen,
  apply: (history, other, dice) => {
    if (history.format === "jhist-binary") return undefined;
    const lines = change(linesOf(history), linesOf(other), dice);
    return lines && file(Buffer.from(`${lines.join("\n")}\n`));
  },
});

export const ofBytes = (
  name: string,
  isSeen: boolean,
  change: (history: History, dice: Dice, other: History) => Uint8Array,
): Mutation => ({
  name,
  isSeen,
  apply: (history, other, dice) => file(change(history, dice, other)),
});

export const MUTATIONS: readonly Mutation[] = [
  ofLines("lines dropped", true, (lines, _, dice) => {
    const share = dice.pick([0.01, 0.05, 0.3]);
    return lines.filter(() => !dice.chance(share));
  }),
  ofLines("ends dropped", true, (lines, _, dice) =>
    lines.filter((line) => !(/TaskEnd|FINISHED|_TIME=|"end"/.test(line) && dice.chance(0.2))),
  ),
  ofLines("a run of lines dropped", true, (lines, _, dice) =>
    without(lines, ...someRun(lines, dice)),
  ),
  ofLines("beginning dropped", true, (lines, _, dice) =>
    lines.slice(dice.whole(1, lines.length / 2)),
  ),
  ofLines("each line twice", true, (lines) => lines.flatMap((line) => [line, line])),
  ofLines("lines doubled", true, (lines, _, dice) =>
    lines.flatMap((line) => (dice.chance(0.2) ? [line, line] : [line])),
  ),
  ofLines("a run of lines doubled", true, (lines, _, dice) => {
    const [from, until] = someRun(lines, dice);
    return [...lines.slice(0, until), ...lines.slice(from)];
  }),
  ofLines("lines shuffled", true, (lines, _, dice) => shuffled(lines, dice)),
  ofLines("neighbours shuffled", true, (lines, _, dice) => {
    const width = dice.whole(2, 20);
    return Array.from({ length: Math.ceil(lines.length / width) }, (__, n) =>
      shuffled(lines.slice(n * width, (n + 1) * width), dice),
    ).flat();
  }),
  ofLines("another history behind it", true, (lines, others) => [...lines, ...others]),
  ofLines("lines of another history", true, (lines, others, dice) => {
    const strays = others.filter(() => dice.chance(0.05));
    return lines.flatMap((line) => {
      const stray = dice.chance(0.05) ? strays.pop() : undefined;
      return stray === undefined ? [line] : [line, stray];
    });
  }),
  ofBytes("cut", true, ({ plain }, dice) => plain.subarray(0, dice.whole(1, plain.length - 1))),
  ofBytes("cut, as it is compressed", true, ({ bytes }, dice) =>
    bytes.subarray(0, dice.whole(1, bytes.length - 1)),
  ),
  ofBytes("bits flipped", false, ({ plain }, dice) => flipped(plain, dice)),
  ofBytes("bits flipped, as it is compressed", false, ({ bytes }, dice) => flipped(bytes, dice)),
  ofBytes("frames cut", true, (history, dice) => {
    const frames = framesOf(history, dice);
    const bytes = Buffer.concat(frames);
    return bytes.subarray(0, dice.whole(1, bytes.length - 1));
  }),
  ofBytes("a frame dropped", true, (history, dice) => {
    const frames = framesOf(history, dice);
    return Buffer.concat(frames.toSpliced(dice.whole(0, frames.length - 1), 1));
  }),
  ofBytes("frames of two histories", true, (history, dice, other) => {
    const [own, others] = [framesOf(history, dice), framesOf(other, dice)];
    return Buffer.concat(own.flatMap((frame, n) => [frame, others[n] ?? new Uint8Array()]));
  }),
  {
    name: "a part dropped",
    isSeen: true,
    apply: (history, _, dice) => rolled(history, dice, (parts, number) => parts.delete(number)),
  },
  {
    name: "a part of another history",
    isSeen: true,
    apply: (history, other, dice) =>
      rolled(history, dice, (parts, number) =>
        parts.set(number, linesOf(other).slice(0, 50).join("\n")),
      ),
  },
  {
    name: "a part that another one holds",
    isSeen: true,
    apply: (history, _, dice) =>
      rolled(history, dice, (parts, number) => parts.set(parts.size + 1, parts.get(number) ?? "")),
  },
  {
    name: "a directory with a damaged neighbour",
    isSeen: true,
    apply: ({ bytes }, other, dice) => ({
      kind: "directory",
      files: new Map([
        ["a", bytes],
        ["b", other.bytes.subarray(0, dice.whole(1, other.bytes.length - 1))],
        ["c", flipped(other.bytes, dice)],
      ]),
    }),
  },
];

const file = (bytes: Uint8Array): Mutated => ({ kind: "file", bytes });

const linesOf = ({ plain }: History): string[] =>
  Buffer.from(plain).toString("utf8").trimEnd().split("\n");

const rank = (list: readonly unknown[], dice: Dice): number => dice.whole(0, list.length - 1);

function someRun(lines: readonly string[], dice: Dice): readonly [from: number, until: number] {
  const from = rank(lines, dice);
  return [from, Math.min(lines.length, from + dice.whole(1, 1 + lines.length / 5))];
}

const without = (lines: readonly string[], from: number, until: number): readonly string[] => [
  ...lines.slice(0, from),
  ...lines.slice(until),
];

function shuffled(lines: readonly string[], dice: Dice): readonly string[] {
  return lines
    .map((line) => ({ line, key: dice.next() }))
    .toSorted((a, b) => Math.sign(a.key - b.key))
    .map(({ line }) => line);
}

function flipped(bytes: Uint8Array, dice: Dice): Uint8Array {
  const made = Uint8Array.from(bytes);
  for (let n = dice.pick([1, 1, 10]); n > 0; n--) {
    const at = dice.whole(0, made.length - 1);
    made[at] = (made[at] ?? 0) ^ (1 << dice.whole(0, 7));
  }
  return made;
}

/** The bytes as members of gzip, with borders anywhere. */
function framesOf({ plain }: History, dice: Dice): Uint8Array[] {
  const count = dice.whole(2, 8);
  const size = Math.ceil(plain.length / count);
  return Array.from({ length: count }, (_, n) =>
    gzipSync(plain.subarray(n * size, (n + 1) * size)),
  );
}

/** A rolling directory of Spark, whose parts are changed; they keep their numbers. */
function rolled(
  history: History,
  dice: Dice,
  change: (parts: Map<number, string>, number: number) => unknown,
): Mutated | undefined {
  if (history.format !== "spark") return undefined;
  const lines = linesOf(history);
  const count = dice.whole(2, 5);
  const size = Math.ceil(lines.length / count);
  const parts = new Map(
    Array.from({ length: count }, (_, n) => [
      n + 1,
      lines.slice(n * size, (n + 1) * size).join("\n"),
    ]),
  );
  change(parts, dice.whole(1, count));
  const texts = Array.from(
    parts,
    ([number, text]) => [`events_${number}_app-1`, Buffer.from(`${text}\n`)] as const,
  );
  const status = ["appstatus_app-1", new Uint8Array()] as const;
  return { kind: "directory", files: new Map<string, Uint8Array>([status, ...texts]) };
}
