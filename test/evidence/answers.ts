import type { Answer, Told, ToldCause } from "./broomwagon.ts";

/** What must hold of each answer, whatever the history; undefined if it holds. */
export interface Property {
  readonly name: string;
  readonly fault: (answer: Answer) => string | undefined;
}

/** Times are sums of doubles; a millisecond moves nothing. */
const NOISE_MS = 1;

/** The only cause that moves work from one attempt to another, so that it may be a gain. */
const MAY_GAIN = "bytes";

const ofWhy = (name: string, fault: (why: Told) => string | undefined): Property => ({
  name,
  fault: ({ why }) => (why === undefined ? undefined : fault(why)),
});

const ofCauses = (name: string, isRight: (cause: ToldCause, why: Told) => boolean): Property =>
  ofWhy(name, (why) => {
    const wrong = why.causes.find((cause) => !isRight(cause, why));
    return wrong === undefined ? undefined : `${causeText(wrong)} of ${why.responseMs} ms`;
  });

const causeText = ({ cause, ms, lowMs, highMs, couldBeMs }: ToldCause): string =>
  `${cause} ${ms} [${lowMs}, ${highMs}], up to ${couldBeMs}`;

export const OF_EACH_ANSWER: readonly Property[] = [
  {
    name: "an answer or a refusal, never a bug",
    fault: ({ printed: { code, err } }) =>
      (code === 0 || code === 3) && !/bug:/.test(err) ? undefined : `${code}: ${err.slice(0, 300)}`,
  },
  {
    name: "a refusal is one line",
    fault: ({ printed: { code, err } }) =>
      code === 0 || /^error: [^\n]+\n$/.test(err) ? undefined : err.slice(0, 300),
  },
  ofWhy("0 <= lost <= response", ({ delayMs, responseMs }) =>
    delayMs >= 0 && delayMs <= responseMs + NOISE_MS
      ? undefined
      : `lost ${delayMs} of ${responseMs} ms`,
  ),
  ofWhy("causes and usual add up, usual >= 0", ({ causes, delayMs, usualMs, responseMs }) => {
    const sum = causes.reduce((total, { ms }) => total + ms, 0);
    const isRight =
      Math.abs(sum - delayMs) < NOISE_MS &&
      Math.abs(usualMs + delayMs - responseMs) < NOISE_MS &&
      usualMs >= -NOISE_MS;
    return isRight ? undefined : `${sum} and ${delayMs}, usual ${usualMs} of ${responseMs} ms`;
  }),
  ofWhy(
    "parts add up to the usual time, each in its interval",
    ({ parts, usualMs, responseMs }) => {
      const sum = parts.reduce((total, { ms }) => total + ms, 0);
      const wrong = parts.find(
        ({ ms, lowMs, highMs }) =>
          !(lowMs >= -NOISE_MS && lowMs <= ms && ms <= highMs && highMs <= responseMs + NOISE_MS),
      );
      if (Math.abs(sum - usualMs) >= NOISE_MS) return `${sum} of ${usualMs} ms`;
      return wrong && `${wrong.part} ${wrong.ms} [${wrong.lowMs}, ${wrong.highMs}]`;
    },
  ),
  ofCauses(
    "only input bytes may be negative",
    ({ cause, ms, lowMs }) => cause === MAY_GAIN || (ms >= 0 && lowMs >= 0),
  ),
  ofCauses(
    "no interval ends beyond the response",
    ({ lowMs, couldBeMs }, { responseMs }) =>
      lowMs >= -responseMs - NOISE_MS && couldBeMs <= responseMs + NOISE_MS,
  ),
  ofCauses(
    "each value lies in its interval",
    ({ ms, lowMs, highMs, couldBeMs }) =>
      lowMs <= ms + NOISE_MS && ms <= highMs + NOISE_MS && highMs <= couldBeMs + NOISE_MS,
  ),
  {
    name: "no sentence with an impossible number",
    fault: ({ firstLines }) => {
      const [wrong] = /.*(NaN|Infinity|undefined|null| -\d[\d.]* s\b|\(\d{4,} %\)).*/.exec(
        firstLines,
      ) ?? [undefined];
      const share = Number(/\((\d+) %\) of that was lost/.exec(firstLines)?.[1] ?? 0);
      return share > 100 ? firstLines : wrong;
    },
  },
];

/** The words of first lines that own up to what the history lacks, or holds besides. */
const OWNS_UP = new RegExp(
  [
    ...["cut off", "missing", "not in (this|the) log", "lacks", "lacking", "left out", "twice"],
    ...["damaged", "cannot be read", "incomplete", "contradict", "another (job|application)"],
    ...["other jobs", "compact", "no end", "never ended", "not recorded"],
  ].join("|"),
  "i",
);

/** A hundredth of the response is no other answer. */
const SAME = 0.01;

/** The answer about a mutated history, and those about the whole ones that it was made of. */
export interface Mutant {
  readonly found: Answer;
  readonly whole: Answer;
  readonly other: Answer;
  /** Whether what was done can be seen in what is left. */
  readonly isSeen: boolean;
  /** Whether the whole history stands in a file of its own. */
  readonly isBeside: boolean;
}

export const OF_MUTANTS: readonly {
  readonly name: string;
  readonly fault: (mutant: Mutant) => string | undefined;
}[] = [
  {
    name: "the same answer, or the first lines say what is missing",
    fault: ({ found: { why, firstLines }, whole: { why: known }, other, isSeen }) => {
      if (!isSeen || known === undefined || why === undefined) return undefined;
      // A file of two jobs may be answered by either.
      if (why.job.id !== known.job.id && why.job.id === other.why?.job.id) return undefined;
      return OWNS_UP.test(firstLines) ? undefined : differs(why, known);
    },
  },
  {
    name: "no copy that nobody made",
    fault: ({ found: { why }, whole: { why: known } }) => {
      const [made, before] = [why?.copies?.made ?? 0, known?.copies?.made ?? 0];
      const isOther = why?.job.id !== known?.job.id;
      return isOther || made <= before ? undefined : `${made} copies, ${before} in the whole one`;
    },
  },
  {
    name: "no history is hidden by its neighbour",
    fault: ({ found: { printed }, whole: { why }, isBeside }) =>
      !isBeside || printed.out.includes(why?.job.id ?? "")
        ? undefined
        : `${printed.code}: ${printed.err || printed.out}`,
  },
];

function differs(why: Told, known: Told): string | undefined {
  const slack = SAME * known.responseMs;
  if (Math.abs(why.responseMs - known.responseMs) > slack) {
    return `took ${why.responseMs} ms, whole ${known.responseMs} ms`;
  }
  const wrong = why.causes.find(({ cause, ms }) => {
    const own = known.causes.find((one) => one.cause === cause);
    return own === undefined || ms < own.lowMs - slack || ms > own.couldBeMs + slack;
  });
  const own = known.causes.find(({ cause }) => cause === wrong?.cause);
  if (wrong === undefined || own === undefined) return undefined;
  return `${causeText(wrong)}; whole ${causeText(own)}; of ${known.responseMs} ms`;
}
