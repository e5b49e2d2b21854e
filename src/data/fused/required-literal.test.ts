import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { requiredLiteral } from "./required-literal.ts";

/** A set minus another, which needs newer engines than the compiler's target. */
const SETS = "[[a-z]--[aeiou]]x";

describe("a text that an expression requires", () => {
  test.each<readonly [RegExp, string | undefined]>([
    [/ERROR \d+ timeout/, " timeout"],
    [/^GET \/index\.html$/, "GET /index.html"],
    [/(?:a|b) needle(s)?/, " needle"],
    [/colou?r/, "colo"],
    [/a+bc*d/, "a"],
    [/x{0,3}yz/, "yz"],
    [/x{2}yz/, "yz"],
    [/[abc]+-end\]/, "-end]"],
    [/\bfoo\b.*\bbarn\b/, "barn"],
    [/\p{L}+ été/u, " été"],
    [/\u00e9tude/, "étude"],
    [/foo\b bar/, "foo bar"],
    [/a😀bc/u, "bc"],
    [/time: \d+/i, ": "],
    [/(?<!not )found(?!ling)/, "found"],
    [/a|b/, undefined],
    [/\w+/, undefined],
    [/(ab)\1/, undefined],
    [/x?/, undefined],
    [new RegExp(SETS, "v"), "x"],
    [/error/i, undefined],
  ])("of %s is %j", (pattern, literal) => {
    expect(requiredLiteral(pattern)).toBe(literal);
  });

  test("is in every text in which the expression matches, whatever its form", () => {
    const piece = fc.constantFrom(
      ...["a", "b", "ab", "-", ".", "\\.", "\\d", "\\bb", "[ab]", "[^-\\]]", "a?", "b*", "-+"],
      ...[
        "b{0,2}",
        "a{2}",
        "(a|b)",
        "(?:-a)+",
        "(?!a)",
        "(?<=b)",
        "(?=-)",
        "\\B",
        "\\u{61}",
        "^",
        "$",
        "|",
        "\\x61",
        "é",
        " ",
      ],
    );
    const pattern = fc.tuple(
      fc.array(piece, { minLength: 1, maxLength: 6 }),
      fc.constantFrom("", "i", "u", "iu"),
    );
    const text = fc.array(fc.constantFrom("a", "b", "A", "-", ".", "1", "é", " ", "]"), {
      maxLength: 12,
    });
    const property = fc.property(
      pattern,
      fc.array(text, { maxLength: 8 }),
      ([pieces, flags], texts) => {
        const expression = new RegExp(pieces.join(""), flags);
        const literal = requiredLiteral(expression);
        if (literal === undefined) return;
        for (const one of texts.map((characters) => characters.join(""))) {
          if (expression.test(one)) expect(one).toContain(literal);
        }
      },
    );
    fc.assert(property, { numRuns: 2000 });
  });
});
