import { attemptRows } from "./attempt-rows.ts";
import type { PageDocument } from "./document.ts";

/** All that a page holds, for other programs: its head, and a row for each attempt. */
export const pageJson = (document: PageDocument): string => `${JSON.stringify(json(document))}\n`;

const json = (document: PageDocument): object => ({
  ...document.head,
  attempts: [...attemptRows(document)],
  ...(document.other !== undefined && { other: json(document.other) }),
});
