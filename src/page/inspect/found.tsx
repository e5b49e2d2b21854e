import { span } from "../format.ts";
import { Link } from "../link.tsx";
import type { PageState } from "../state.ts";
import { Swatch } from "./swatch.tsx";

const FOUND = 40;

/** Attempts whose names, or whose nodes' names, hold the text. */
export function Found({ state }: { readonly state: PageState }) {
  const { run } = state;
  const text = state.find.value.toLowerCase();
  const found: number[] = [];
  let count = 0;
  for (let i = 0; i < run.attempts.length; i++) {
    if (!`${run.nameOf(i)} ${run.nodeOf(i)}`.toLowerCase().includes(text)) continue;
    count += 1;
    if (found.length < FOUND) found.push(i);
  }
  return (
    <>
      <h3>
        {count} {count === 1 ? "attempt" : "attempts"} with “{state.find.value}”
      </h3>
      <ul>
        {found.map((i) => (
          <li key={i}>
            <Swatch shows={run.shows[i] ?? 0} />
            <Link
              onClick={() => {
                state.find.value = "";
                state.select(i);
              }}
            >
              {run.nameOf(i)}
            </Link>{" "}
            <span class="faint">
              {run.shortName(run.nodeOf(i))}, {span(run.tookMs(i))}, {run.endOf(i)}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
