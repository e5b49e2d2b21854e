import { span } from "../format.ts";
import { Link } from "../link.tsx";
import type { PageState } from "../state.ts";
import { Swatch } from "./swatch.tsx";

const FOUND = 40;

/** Goes to an attempt that was found, if there is one. */
export function goToFound(state: PageState, [i]: readonly number[] = found(state)): void {
  if (i === undefined) return;
  state.find.value = "";
  state.select(i);
}

/** The attempts that were found. */
export function Found({ state }: { readonly state: PageState }) {
  const { run } = state;
  const all = found(state);
  return (
    <>
      <h3>
        {all.length} {all.length === 1 ? "attempt" : "attempts"} with “{state.find.value}”
      </h3>
      <ul>
        {all.slice(0, FOUND).map((i) => (
          <li key={i}>
            <Swatch shows={run.shown(i)} />
            <Link onClick={() => goToFound(state, [i])}>{run.nameOf(i)}</Link>{" "}
            <span class="faint">
              {run.shortName(run.nodeOf(i))}, {span(run.tookMs(i))}, {run.endOf(i)}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

/**
 * Attempts of a run whose names, or whose nodes' names, contain the search text; all if it is
 * empty.
 */
export function found({ run, find }: Pick<PageState, "run" | "find">): readonly number[] {
  const text = find.value.toLowerCase();
  return Array.from(Array(run.attempts.length).keys()).filter((i) =>
    `${run.nameOf(i)} ${run.nodeOf(i)}`.toLowerCase().includes(text),
  );
}
