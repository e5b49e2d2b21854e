import { type AST, RegExpParser } from "@eslint-community/regexpp";

/** The type of `requiredLiteral`, whose parser is large: threads without patterns never load it. */
export type LiteralFinder = (pattern: RegExp) => string | undefined;

/**
 * The longest text that is plainly contained in every text that the expression matches. Undefined
 * if there is none, or the expression has alternatives.
 */
export const requiredLiteral: LiteralFinder = (pattern) => {
  const [only, ...others] = alternativesOf(pattern);
  if (only === undefined || others.length > 0) return undefined;
  let best = "";
  let run = "";
  for (const element of only.elements) {
    // An assertion takes no text: its neighbours are adjacent in the text.
    if (element.type === "Assertion") continue;
    const isRepeated = element.type === "Quantifier";
    const character = isRepeated && element.min > 0 ? element.element : element;
    const literal = plainText(character, pattern.ignoreCase);
    if (literal !== undefined) run += literal;
    if (run.length > best.length) best = run;
    // An element that is not plain, or is repeated, ends the run.
    if (literal === undefined || isRepeated) run = "";
  }
  return best === "" ? undefined : best;
};

const parser = new RegExpParser();

/** Empty for an expression that this engine knows and the parser does not. */
function alternativesOf({ source, flags }: RegExp): readonly AST.Alternative[] {
  const kind = { unicode: flags.includes("u"), unicodeSets: flags.includes("v") };
  try {
    return parser.parsePattern(source, 0, source.length, kind).alternatives;
  } catch {
    return [];
  }
}

/** A lone surrogate may stand for another byte, and without case a letter stands for others. */
function plainText(element: AST.Element, ignoresCase: boolean): string | undefined {
  if (element.type !== "Character" || element.value > 0xffff) return undefined;
  const text = String.fromCharCode(element.value);
  const isPlain = ignoresCase ? /[!-@[-`{-~ ]/.test(text) : !/[\r\n\p{Surrogate}]/u.test(text);
  return isPlain ? text : undefined;
}
