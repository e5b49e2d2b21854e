import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { PageState } from "./state.ts";

/** Seconds without an answer until the header says so, and until the page turns grey. */
const OLD_S = { told: 2, grey: 10 };
/** A run whose journal has not grown for this long is no longer called running. */
const QUIET_S = 60;

/** For a live page: whether the server answers, how old the data is, whether the run continues. */
export function Age({ state }: { readonly state: PageState }) {
  const now = useSignal(Date.now());
  const { isLive = false } = state.run.head;
  useEffect(() => {
    const clock = setInterval(() => {
      now.value = Date.now();
    }, 1_000);
    return () => clearInterval(clock);
  }, []);
  const since = (at: number | undefined): number =>
    at === undefined ? 0 : Math.max(0, Math.round((now.value - at) / 1_000));
  const old = isLive ? since(state.lostAt.value) : 0;
  useEffect(() => {
    document.documentElement.toggleAttribute("data-old", old >= OLD_S.grey);
  }, [old >= OLD_S.grey]);
  if (!isLive) return null;
  const quiet = since(state.grewAt.value);
  const text =
    state.problem.value ??
    (old >= OLD_S.told
      ? `not connected: ${old} s old`
      : quiet >= QUIET_S
        ? `quiet for ${quiet} s`
        : "live");
  return (
    <span class={text === "live" ? "told" : "late"} role="status">
      {text}
    </span>
  );
}
