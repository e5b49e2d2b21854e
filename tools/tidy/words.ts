import type { Check } from "./source.ts";

interface Word {
  readonly found: RegExp;
  readonly cure: string;
}

// Written in pieces, so that this file does not match itself.
const WORDS: readonly Word[] = [
  {
    found: new RegExp(`\\b(${["TO", "DO"].join("")}|${["FIX", "ME"].join("")})\\b(?!\\(#\\d+\\))`),
    cure: "name the issue: (#12)",
  },
  {
    found: new RegExp(`(^|[\\s"'\`(])/(${["work", "root"].join("|")})/`),
    cure: "a path of one machine",
  },
];

/** No path of one machine, and no promise without an issue. */
export const words: Check = (files) =>
  files.flatMap((file) =>
    file.text.split("\n").flatMap((text, index) =>
      WORDS.flatMap(({ found, cure }) => {
        const match = found.exec(text);
        if (match === null) return [];
        return [{ path: file.path, line: index + 1, message: `${match[0].trim()}: ${cure}` }];
      }),
    ),
  );
