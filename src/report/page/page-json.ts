import { attemptRows } from "./attempt-rows.ts";
import type { PageDocument } from "./document.ts";

/** All that a page holds, for other programs: its head, and a row for each attempt. */
export function pageJson(document: PageDocument): string {
  const { columns: _, ...head } = document.head;
  return `${JSON.stringify({ ...head, attempts: [...attemptRows(document)] })}\n`;
}
