/**
 * The state of a record after one of its lines. `open`: the record continues, within a quoted
 * field. `misplaced`: by RFC 4180 a quote opens a field only at the field's beginning, and closes
 * it only at the field's end.
 */
export type AfterLine = "whole" | "open" | "misplaced";

/**
 * The most bytes of a record whose quoted fields hold line ends; a longer record means that a quote
 * is never closed.
 */
export const OPEN_BYTES_MAX = 2 * 1024 * 1024;

/** Examines a record's next line, line end included; `isOpen`: the lines before left it `open`. */
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
