import { useSignal } from "@preact/signals";
import { csv } from "../report/page/csv.ts";
import { savePng } from "./save.tsx";
import type { ViewTold } from "./told.ts";

/** A view's menu: copy what it shows, or read how it is computed. */
export function ViewMenu({
  id,
  name,
  rows,
  how,
  document: read,
  isDrawn = false,
}: ViewTold & { readonly id: string; readonly name: string }) {
  const said = useSignal("");
  const copy = (text: string): void => {
    navigator.clipboard.writeText(text).then(
      () => {
        said.value = "copied";
      },
      (error: unknown) => {
        said.value = String(error);
      },
    );
  };
  return (
    <details class="menu" name="menu">
      <summary aria-label={`menu of ${name}`}>⋯</summary>
      <div class="card padded">
        <button type="button" onClick={() => copy(csv(rows()))}>
          copy as CSV
        </button>
        <button type="button" onClick={() => copy(`${JSON.stringify([...rows()])}\n`)}>
          copy as JSON
        </button>
        {isDrawn ? (
          <button type="button" onClick={() => savePng(`#${id} canvas`, id)}>
            save as PNG
          </button>
        ) : null}
        <span role="status">{said.value}</span>
        <p>
          How it is computed: {how} More in <code>{read}</code>.
        </p>
      </div>
    </details>
  );
}
