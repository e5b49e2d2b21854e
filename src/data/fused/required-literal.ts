import { type AST, RegExpParser } from "@eslint-community/regexpp";

/** As `requiredLiteral`, whose parser is large: threads without patterns never load it. */
export type LiteralFinder = (pattern: RegExp) => string | undefined;

/**
 * A text that each text must hold in which the expression finds something: the longest that is
 * plain to see. Undefined: there is none, or the expression has alternatives.
 */
export const requiredLiteral: LiteralFinder = (pattern) => {
  const [only, ...others] = alternativesOf(pattern);
  if (only === undefined || others.length > 0) return undefined;
  let best = "";
  let run = "";
  for (const element of only.elements) {
    // It takes no room: what stands before it and behind it stands together.
    if (element.type === "Assertion") continue;
    const isRepeated = element.type === "Quantifier";
    const character = isRepeated && element.min > 0 ? element.element : element;
    const literal = plainText(character, pattern.ignoreCase);
    if (literal !== undefined) run += literal;
    if (run.length > best.length) best = run;
    // What follows something else, or something that may be there again, begins anew.
    if (literal === undefined || isRepeated) run = "";
  }
  return best === "" ? undefined : best;
};

const parser = new RegExpParser();

/** None: this engine knows expressions that the parser does not know. */
function alternativesOf({ source, flags }: RegExp): readonly AST.Alternative[] {
  const kind = { unicode: flags.includes("u"), unicodeSets: flags.includes("v") };
  try {
    return parser.parsePattern(source, 0, source.length, kind).alternatives;
  } catch {
    return [];
  }
}

/** Half a pair of surrogates may stand for another byte, and letters for others. */
function plainText(element: AST.Element, ignoresCase: boolean): string | undefined {
  if (element.type !== "Character" || element.value > 0xffff) return undefined;
  const text = String.fromCharCode(element.value);
  const isPlain = ignoresCase ? /[!-@[-`{-~ ]/.test(text) : !/[\r\n\p{Surrogate}]/u.test(text);
  return isPlain ? text : undefined;
}
