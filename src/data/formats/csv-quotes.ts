/**
 * What a line's quotes make of the record that it belongs to. `open`: the record goes on, within a
 * quoted field. `misplaced`: by RFC 4180 a quote opens a field only where the field begins, and
 * closes it only where it ends.
 */
export type AfterLine = "whole" | "open" | "misplaced";

/**
 * A record whose quoted fields hold line ends is at most so many bytes long; a quote after which
 * this is more is one that is never closed.
 */
export const OPEN_BYTES_MAX = 2 * 1024 * 1024;

/** Looks at a record's next line, line end and all; `isOpen`: the lines before were `open`. */
export function afterLine(line: string, separator: string, isOpen: boolean): AfterLine {
  let isQuoted = isOpen;
  for (let at = line.indexOf('"'); at >= 0; at = line.indexOf('"', at)) {
    if (!isQuoted) {
      if (at > 0 && !line.endsWith(separator, at)) return "misplaced";
      isQuoted = true;
      at++;
    } else if (line[at + 1] === '"') {
      at += 2;
    } else {
      at++;
      if (!isFieldEnd(line, at, separator)) return "misplaced";
      isQuoted = false;
    }
  }
  return isQuoted ? "open" : "whole";
}

const isFieldEnd = (line: string, at: number, separator: string): boolean =>
  at === line.length ||
  line.startsWith(separator, at) ||
  line[at] === "\n" ||
  (line[at] === "\r" && line[at + 1] === "\n");
