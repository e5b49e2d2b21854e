import type { ReportRow } from "./published.ts";

/** Lines that are named under one remark; of more, only their number. */
const NAMED_MAX = 3;

/**
 * Each remark on the lines of a table once, with the lines that it is about: "native, wasted s;
 * LATE, wasted s: ...". What is true of all lines needs no names.
 */
export function remarksOn(rows: readonly ReportRow[]): readonly string[] {
  const lines = new Map<string, string[]>();
  for (const { setting, metric, remarks } of rows) {
    for (const remark of remarks) {
      lines.set(remark, [...(lines.get(remark) ?? []), `${setting}, ${metric}`]);
    }
  }
  return [...lines].map(([remark, about]) => {
    if (about.length === rows.length) return remark;
    const more = about.length > NAMED_MAX ? [`${about.length - NAMED_MAX} more`] : [];
    return `${[...about.slice(0, NAMED_MAX), ...more].join("; ")}: ${remark}`;
  });
}
