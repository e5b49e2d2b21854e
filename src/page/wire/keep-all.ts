import type { Act } from "../acts.tsx";
import type { PageState } from "../state.ts";
import { askFor } from "./connect.ts";
import { keep } from "./keep.ts";

/** On a server's page: the whole page as it is now, and its journal. */
export function keepsOf({ run }: PageState): readonly Act[] {
  const { source, format } = run.head;
  const page: Act = ["this page as one file", () => take("/file", "report.html")];
  return format === "journal" ? [page, ["journal", () => take("/journal", source)]] : [page];
}

async function take(path: string, name: string): Promise<string> {
  const answer = await askFor(path);
  if (!answer.ok) return answer.text();
  keep(name, await answer.blob());
  return "";
}
