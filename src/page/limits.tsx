import { LIMIT_NAMES, type Limits } from "../diagnose/limits.ts";
import { grouped } from "./format.ts";
import { Link } from "./link.tsx";
import type { PageState } from "./state.ts";

const LIMIT_HELP: Readonly<Record<keyof Limits, string>> = {
  lateAbove: "late above, times the expected",
  slowNodeMin: "a node is slow from, times",
  slowNodeLowMin: "and its interval's low end from",
  lastingTimesMin: "slow all the time: separate times",
  peersMin: "peers at least",
  fitMin: "attempts for a line at least",
  tMin: "a term counts from, standard errors",
};

/** Limits of the diagnosis, which the page's worker applies. */
export function LimitsForm({ state }: { readonly state: PageState }) {
  const { limits } = state;
  const worker = state.worker.value;
  if (worker?.hasJob !== true) return null;
  const set = (name: keyof Limits, text: string): void => {
    const value = Number(text);
    if (value > 0) state.setLimits({ ...state.changed.value, [name]: value });
  };
  return (
    <details class="limits">
      <summary>change the limits</summary>
      <fieldset class="row" aria-label="limits of the diagnosis">
        {LIMIT_NAMES.map((name) => (
          <label key={name}>
            {LIMIT_HELP[name]}{" "}
            <input
              type="number"
              min="0"
              step="any"
              name={name}
              value={limits[name]}
              onInput={(event) => set(name, event.currentTarget.value)}
            />
          </label>
        ))}
      </fieldset>
    </details>
  );
}

/** Says that the limits differ from the diagnosis's, and which parts of the page follow them. */
export function LimitsChanged({ state }: { readonly state: PageState }) {
  const worker = state.worker.value;
  const sets = Object.entries(state.changed.value).map(([name, value]) => `--set ${name}=${value}`);
  if (sets.length === 0) return null;
  return (
    <p class="changed" role="status">
      <b>Limits changed here:</b> <code>{sets.join(" ")}</code>. {stateOf(state)}{" "}
      {state.isDiagnosed.value || state.diagnosesAsTyped || worker?.hasJob !== true ? null : (
        <button
          type="button"
          id="diagnose"
          disabled={worker.isDiagnosing.value}
          onClick={() => state.diagnose()}
        >
          diagnose {grouped(state.run.attempts.length)} attempts again
        </button>
      )}{" "}
      <Link onClick={() => state.setLimits({})}>back to those of the report</Link>
    </p>
  );
}

function stateOf(state: PageState): string {
  const worker = state.worker.value;
  if (state.isDiagnosed.value) return "Everything here follows them; intervals are left out.";
  if (worker?.failure.value) return worker.failure.value;
  if (worker?.isDiagnosing.value === true) return "Diagnosing …";
  return "Only the marks of late attempts follow them; the verdict does not yet.";
}
