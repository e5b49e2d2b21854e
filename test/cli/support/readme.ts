/** The sections of a page in Markdown, by its headings of the second level. */
export const sectionsOf = (page: string): readonly string[] => page.split(/^(?=## )/m);

/** The lines of a section's shell blocks, without npm's, which the tests themselves run. */
export const commandsIn = (section: string): readonly string[] =>
  linesOf(section)
    .filter(({ fence, text }) => fence === "sh" && !text.startsWith("npm "))
    .map(({ text }) => text);

/**
 * The numbers with a unit in a section's prose, in its captions of pictures and in the comments
 * behind its commands. Tables, which other tests hold, and the lines of npm are not among them.
 */
export function figuresIn(section: string): readonly string[] {
  const told = linesOf(section).flatMap(({ fence, text }) => {
    if (fence === "sh") return text.startsWith("npm ") ? [] : [/ # .*$/.exec(text)?.[0] ?? ""];
    return fence === undefined && !text.startsWith("|") ? [text] : [];
  });
  return [...told.join(" ").matchAll(FIGURE)].map(([, number = ""]) => number);
}

/** A number with a unit: 24.3 s, 25 %, 2.7 times. */
const FIGURE = /(\d[\d,.]*)(?<![,.]) (?:s|ms|minutes|%|times|[kMG]?B)(?![\w-])/g;

/** Whether a command printed the number, which a table may do without its unit. */
export const isPrinted = (number: string, printed: string): boolean =>
  new RegExp(`(?<![\\d.,])${number.replaceAll(".", "\\.")}(?![\\d]|[.,]\\d)`).test(printed);

/** The lines with the language of their fenced block, which is undefined in prose. */
function linesOf(section: string): readonly { readonly fence?: string; readonly text: string }[] {
  let fence: string | undefined;
  return section.split("\n").flatMap((text) => {
    const opened = /^```(\w*)$/.exec(text)?.[1];
    if (opened === undefined) return [fence === undefined ? { text } : { fence, text }];
    fence = fence === undefined ? opened : undefined;
    return [];
  });
}
