import type { TraceFormat } from "../history/model.ts";
import { textOf } from "./byte-text.ts";

/** The formats of files, by their first bytes; `undefined`: no known format. */
export type FileFormat = Exclude<TraceFormat, "rest">;

/** As many of the first bytes tell the format, if any does. */
export const DETECT_BYTES = 4_096;
/** The first line of a log that lacks its beginning may be cut, and as long. */
const CUT_LINE_BYTES = 1 << 18;

/** Formats are recognised by bytes, never by name or version. */
export function detect(head: Uint8Array): FileFormat | undefined {
  const format = formatOf(head);
  if (format !== undefined) return format;
  const next = head.subarray(0, CUT_LINE_BYTES).indexOf(LINE_END) + 1;
  return formatOf(head.subarray(next)) === "spark" ? "spark" : undefined;
}

const LINE_END = 10;

function formatOf(head: Uint8Array): FileFormat | undefined {
  const text = withoutComments(textOf(head.subarray(0, DETECT_BYTES)));
  if (text.startsWith("Avro-")) return "jhist";
  if (text.startsWith('Meta VERSION="') || text.startsWith("!!FILE=")) return "jobtracker";
  if (/^\{\s*"Event"\s*:\s*"/.test(text)) return "spark";
  if (/^\{\s*"journal"\s*:\s*"broomwagon"/.test(text)) return "journal";
  if (/^\{\s*"(jobID|priority|job)"\s*:/.test(text) || /^\{[^{}]*"jobID"\s*:/.test(text))
    return "rumen";
  return undefined;
}

/** Licence comments and blank lines may come before a history's first line. */
function withoutComments(text: string): string {
  let rest = text.trimStart();
  while (rest.startsWith("/*") || rest.startsWith("#") || rest.startsWith("//")) {
    const close = rest.startsWith("/*") ? rest.indexOf("*/") + 1 : rest.indexOf("\n");
    if (close <= 0) return rest;
    rest = rest.slice(close + 1).trimStart();
  }
  return rest;
}
