import { attemptRows } from "../../report/page/attempt-rows.ts";
import { chromeTrace } from "../../report/page/chrome-trace.ts";
import { csv } from "../../report/page/csv.ts";
import type { PageDocument } from "../../report/page/document.ts";
import { pageJson } from "../../report/page/page-json.ts";
import { panelOf } from "../../report/page/story-of.ts";
import { drawSwimlanes } from "../../report/swimlanes/draw.ts";
import { subtitleOf } from "../../report/swimlanes/story.ts";

/** Files for other programs that the page's worker writes. */
export type FileName =
  | "attempts.csv"
  | "decisions.csv"
  | "trace.json"
  | "page.json"
  | "timeline.svg";

/** The file's text, and its type. */
export function fileOf(
  name: FileName,
  document: PageDocument,
): { readonly type: string; readonly text: string } {
  switch (name) {
    case "attempts.csv":
      return { type: "text/csv", text: csv(attemptRows(document)) };
    case "decisions.csv":
      return { type: "text/csv", text: csv(decisions(document)) };
    case "trace.json":
      return { type: "application/json", text: chromeTrace(document) };
    case "page.json":
      return { type: "application/json", text: pageJson(document) };
    default: {
      const panel = panelOf(document);
      const subtitle = subtitleOf(panel.story);
      const text = drawSwimlanes({ title: document.head.title, subtitle, panels: [panel] });
      return { type: "image/svg+xml", text };
    }
  }
}

const decisions = ({ head }: PageDocument) => head.decisions.map(({ attempt: _, ...one }) => one);
