/** The script of a page that a server sends: it follows the run. */
import { Age } from "./age.tsx";
import type { Given, GrowingBars } from "./arranged.ts";
import { Elsewhere } from "./elsewhere.tsx";
import { fail, show, useWorker } from "./show.tsx";
import { SlotBars } from "./slot-bars.ts";
import type { PageState } from "./state.ts";
import { LateNow } from "./views/late-now.tsx";
import { StudyView } from "./views/study.tsx";
import { connect } from "./wire/connect.ts";
import { keepsOf } from "./wire/keep-all.ts";

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

start().catch(fail);
