import { type Mutation, ofBytes, ofLines } from "./mutate.ts";

/** What no writer means to write: values out of place, torn lines, and other forms of text. */
export const STRANGE: readonly Mutation[] = [
  ofValues("numbers out of place", /(?<=[:"[(,])-?\d+(?=[",}\])])/g, [
    ...["-1", "0", "-1000000000000", "9007199254740995", "1e308", "1e999", "-1e999", "0.5"],
    ...["123456789", "99999999999999999999999"],
  ]),
  ofValues("other types in the place of numbers", /(?<=:)-?\d+(?=[,}])/g, [
    ...['"NaN"', '"Infinity"', "null", "true", "[]", "{}", '""', '"12"', '{"long":5}', "[[1]]"],
  ]),
  ofValues("other types in the place of texts", /(?<=:)"[^"\\]*"(?=[,}\]])/g, [
    ...[
      "null",
      "17",
      "[]",
      "{}",
      '""',
      "true",
      '"__proto__"',
      '"constructor"',
      '"\\u0000\\u001b[2J"',
    ],
    ...[`"${"x".repeat(100_000)}"`, '"\\ud800"'],
  ]),
  ofValues("texts that are other texts of the log", /(?<=:)"[^"\\]*"(?=[,}\]])/g),
  ofValues("numbers that are other numbers of the log", /(?<=[:"])\d+(?=[",}])/g),
  ofValues("events of unknown kinds", /(?<="(Event|type|kind)":")\w/g, ["Un", "__proto__"]),
  ofLines("ends before starts", false, (lines, _, dice) =>
    lines.map((line) => (dice.chance(0.1) ? swapped(line) : line)),
  ),
  ofValues("doubled ids", /(?<="(Stage ID|Job ID|Task ID|Executor ID)":"?)\w+(?="?[,}])/g),
  ofValues("parents that are other stages", /(?<="Parent IDs":\[)[\d,]*(?=\])/g, [
    ...["0", "1", "0,1,2,3", "999", "-1", '"0"', "null"],
  ]),
  ofLines("lines torn and joined", true, (lines, _, dice) => {
    const made: string[] = [];
    for (let at = 0; at < lines.length; at++) {
      const [own = "", other = ""] = [lines[at], lines[at + dice.whole(1, 4)]];
      if (at < 2 || other === "" || !dice.chance(0.05)) made.push(own);
      else
        made.push(own.slice(0, own.length * dice.next()) + other.slice(other.length * dice.next()));
    }
    return made;
  }),
  ofLines("lines that are no records", false, (lines, _, dice) =>
    lines.flatMap((line) => (dice.chance(0.05) ? [line, dice.pick(NO_RECORDS)] : [line])),
  ),
  ofBytes("a mark of order, and returns", true, ({ plain }) =>
    Buffer.from(`\uFEFF${Buffer.from(plain).toString("utf8").replaceAll("\n", "\r\n")}`),
  ),
  ofBytes("blank lines and blanks", true, ({ plain, format }) =>
    format === "jhist-binary"
      ? plain
      : Buffer.from(Buffer.from(plain).toString("utf8").replaceAll("\n", " \n\n")),
  ),
  ofBytes("UTF-16", false, ({ plain }, dice) =>
    Buffer.from(
      `${dice.chance(0.5) ? "\uFEFF" : ""}${Buffer.from(plain).toString("utf8")}`,
      "utf16le",
    ),
  ),
  ofBytes("bytes of another encoding", false, ({ plain }, dice) => {
    const share = dice.pick([0.0001, 0.01]);
    return plain.map((byte) => (byte > 64 && dice.chance(share) ? 0xe9 : byte));
  }),
  ofBytes("a block of zeros", false, ({ plain }, dice) => {
    const at = dice.whole(1, plain.length - 1);
    return Buffer.concat([
      ...[plain.subarray(0, at), new Uint8Array(dice.pick([10, 4_096, 100_000]))],
      dice.chance(0.5) ? plain.subarray(at) : plain.subarray(Math.min(plain.length, at + 4_096)),
    ]);
  }),
];

/** Some of the values that a pattern finds become others: of a list, or of the same log. */
function ofValues(name: string, pattern: RegExp, values: readonly string[] = []): Mutation {
  return ofLines(name, false, (lines, _, dice) => {
    const share = dice.pick([0.0005, 0.01, 0.2]);
    const found = values.length > 0 ? values : lines.flatMap((line) => line.match(pattern) ?? []);
    if (found.length === 0) return undefined;
    const only = dice.chance(0.5) ? dice.pick(found) : undefined;
    return lines.map((line) =>
      line.replaceAll(pattern, (own) => (dice.chance(share) ? (only ?? dice.pick(found)) : own)),
    );
  });
}

/** The first and the last time of a line change places. */
function swapped(line: string): string {
  const times = line.match(/\d{13}/g) ?? [];
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return line;
  return line.replaceAll(/\d{13}/g, (at) => (at === first ? last : at === last ? first : at));
}

const NO_RECORDS = [
  ...[
    "null",
    "[]",
    "{}",
    "17",
    '"text"',
    '{"Event":null}',
    '{"Event":{}}',
    '{"type":"x"}',
    "\u0000",
  ],
  ...['{"Event":"SparkListenerTaskEnd"}', '{"type":"MAP_ATTEMPT_FINISHED","event":{}}'],
  ...[
    '{"Event":"SparkListenerTaskEnd","Task Info":[]}',
    'Task TASKID="" .',
    'MapAttempt TASKID="x" .',
  ],
  `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`,
];
