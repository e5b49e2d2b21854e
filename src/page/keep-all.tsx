import { useSignal } from "@preact/signals";
import type { PageState } from "./state.ts";
import { askFor } from "./wire/connect.ts";
import { keep } from "./wire/keep.ts";

/** Of a page that a server sends: the whole page as it is by now, and the journal behind it. */
export function KeepAll({ state }: { readonly state: PageState }) {
  const said = useSignal("");
  const { source, format } = state.run.head;
  const take = async (path: string, name: string): Promise<void> => {
    said.value = `${name} is being made \u2026`;
    const answer = await askFor(path);
    if (answer.ok) keep(name, await answer.blob());
    said.value = answer.ok ? "" : await answer.text();
  };
  const button = (told: string, path: string, name: string) => (
    <button
      type="button"
      onClick={() =>
        take(path, name).catch((error: unknown) => {
          said.value = String(error);
        })
      }
    >
      {told}
    </button>
  );
  return (
    <>
      {button("this page as one file", "/file", "report.html")}
      {format === "journal" ? button("journal", "/journal", source) : null}
      <p role="status">{said.value}</p>
    </>
  );
}
