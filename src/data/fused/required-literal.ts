/**
 * A text that each text must hold in which the expression finds something: the longest that is
 * plain to see. Undefined: there is none, or the expression has parts that are not looked into.
 */
export function requiredLiteral({ source, flags }: RegExp): string | undefined {
  const ignoresCase = flags.includes("i");
  let best = "";
  let run = "";
  for (let at = 0; at < source.length; ) {
    const atom = atomAt(source, at);
    if (atom === undefined) return undefined;
    const { min, end } = repetitionAt(source, atom.end);
    const isSure = atom.literal !== undefined && min > 0 && isPlain(atom.literal, ignoresCase);
    if (isSure) run += atom.literal;
    if (run.length > best.length) best = run;
    // What follows something else, or something that may be there again, begins anew.
    if (!isSure || end > atom.end) run = "";
    at = end;
  }
  return best === "" ? undefined : best;
}

interface Atom {
  /** The character that it stands for, if it stands for one. */
  readonly literal?: string;
  readonly end: number;
}

/** Undefined: an alternative, or a construct that is not handled here. */
function atomAt(source: string, at: number): Atom | undefined {
  const character = source[at] ?? "";
  switch (character) {
    case "|":
      return undefined;
    case "(":
      return endOf(skipGroup(source, at));
    case "[":
      return endOf(skipClass(source, at));
    case "\\": {
      const escaped = source[at + 1] ?? "";
      if (/[^\w\s]/.test(escaped)) return { literal: escaped, end: at + 2 };
      return endOf(matchAt(ESCAPE, source, at));
    }
    case ".":
    case "^":
    case "$":
    case "{":
    case "}":
      return { end: at + 1 };
    default:
      return { literal: character, end: at + 1 };
  }
}

const endOf = (end: number | undefined): Atom | undefined => (end === undefined ? end : { end });

/** Classes, borders and characters by their numbers. */
const ESCAPE =
  /\\(?:[dDwWsSbBtnrvf]|[pP]\{[^}|()[\]\\]*\}|u\{[0-9a-f]*\}|u[0-9a-f]{4}|x[0-9a-f]{2})/iy;

/** Where what stands there ends; undefined: something else does. */
function matchAt(pattern: RegExp, source: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(source) ? pattern.lastIndex : undefined;
}

const REPETITION = /(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/y;

/** How often at least what ends there must be there. */
function repetitionAt(source: string, at: number): { readonly min: number; readonly end: number } {
  REPETITION.lastIndex = at;
  const found = REPETITION.exec(source);
  if (found === null) return { min: 1, end: at };
  const [all, least] = found;
  const min = least === undefined ? Number(all.startsWith("+")) : Number(least);
  return { min, end: at + all.length };
}

/** Behind the bracket that closes the one at `at`. Sets within sets are not looked into. */
function skipClass(source: string, at: number): number | undefined {
  for (let i = at + 1; i < source.length; i++) {
    if (source[i] === "\\") i++;
    else if (source[i] === "[") return undefined;
    else if (source[i] === "]") return i + 1;
  }
  return undefined;
}

function skipGroup(source: string, at: number): number | undefined {
  let depth = 0;
  for (let i = at; i < source.length; ) {
    const character = source[i];
    if (character === "[") {
      const end = skipClass(source, i);
      if (end === undefined) return undefined;
      i = end;
      continue;
    }
    i += character === "\\" ? 2 : 1;
    if (character === "(") depth++;
    if (character === ")" && --depth === 0) return i;
  }
  return undefined;
}

/** Half a pair of surrogates may stand for another byte, and letters for others. */
const isPlain = (character: string, ignoresCase: boolean): boolean =>
  ignoresCase ? /[!-@[-`{-~ ]/.test(character) : !/[\r\n\p{Surrogate}]/u.test(character);
