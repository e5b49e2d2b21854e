/** The script of a page that a server sends: it follows the run. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Act } from "./acts.tsx";
import type { Given, GrowingBars } from "./arranged.ts";
import { fail, show, useWorker } from "./show.tsx";
import { SlotBars } from "./slot-bars.ts";
import type { PageState } from "./state.ts";
import { LateNow } from "./views/late-now.tsx";
import { StudyView } from "./views/study.tsx";
import { askFor, connect } from "./wire/connect.ts";
import { keep } from "./wire/keep.ts";

const barsOf = (given: Given): GrowingBars => new SlotBars(given);

async function start(): Promise<void> {
  let state: PageState | undefined;
  const following = connect({
    page(grown, grewAt) {
      const { document } = grown;
      if (state === undefined) {
        wait("");
        state = show(document, { Age, LateNow, StudyView, Elsewhere, keepsOf, barsOf });
      } else state.renew(grown);
      state.grewAt.value = grewAt;
      if (document.head.isLive) state.worker.value = undefined;
    },
    study(study) {
      if (state !== undefined) state.study.value = study;
    },
    worker(source) {
      if (state !== undefined) useWorker(state, source);
    },
    link(isUp) {
      // Several failed tries are one loss, and its first moment counts.
      if (state !== undefined)
        state.lostAt.value = isUp ? undefined : (state.lostAt.value ?? Date.now());
      else wait(isUp ? "Nothing runs yet: the page fills when a job begins." : "Not connected.");
    },
  });
  await following.catch((error: unknown) => {
    if (state === undefined) throw error;
    // What was seen stays.
    state.problem.value = error instanceof Error ? error.message : String(error);
  });
}

/** What the page says until there is a run to show. */
function wait(text: string): void {
  const place = document.getElementById("page");
  if (place === null) return;
  place.textContent = text;
  place.className = text === "" ? "" : "waiting";
}

/** Seconds without an answer until the header says so, and until the page turns grey. */
const OLD_S = { told: 2, grey: 10 };
/** A run whose journal has not grown for this long is no longer called running. */
const QUIET_S = 60;

/** For a live page: whether the server answers, how old the data is, whether the run continues. */
function Age({ state }: { readonly state: PageState }) {
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

/** Explains how to open the page of a server on another machine. */
const Elsewhere = () => (
  <p class="faint">
    From another machine:{" "}
    <code>
      ssh -L {location.port}:127.0.0.1:{location.port} HOST
    </code>
    , then the address that was printed.
  </p>
);

/** On a server's page: the whole page as it is now, and its journal. */
function keepsOf({ run }: PageState): readonly Act[] {
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

start().catch(fail);
