import type { ReportRow } from "./published.ts";

/** The most lines named under one remark; further lines are only counted. */
const NAMED_MAX = 3;

/**
 * Each remark on the lines of a table once, with the names of its lines: "native, wasted s; LATE,
 * wasted s: ...". A remark that holds for all lines has no names.
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
