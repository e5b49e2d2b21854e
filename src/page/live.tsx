/** The script of a page that a server sends: it follows the run. */
import { Age } from "./age.tsx";
import { fail, show, useWorker } from "./show.tsx";
import type { PageState } from "./state.ts";
import { LateNow } from "./views/late-now.tsx";
import { StudyView } from "./views/study.tsx";
import { connect, takeKey } from "./wire/connect.ts";

async function start(): Promise<void> {
  const key = takeKey();
  let state: PageState | undefined;
  await connect(key, {
    page(grown) {
      if (state === undefined) state = show(grown, { Age, LateNow, StudyView });
      else state.renew(grown);
      if (grown.head.isLive) state.worker.value = undefined;
    },
    study(study) {
      if (state !== undefined) state.study.value = study;
    },
    worker(source) {
      if (state !== undefined) useWorker(state, source);
    },
    link(isUp) {
      if (state !== undefined) state.lostAt.value = isUp ? undefined : Date.now();
    },
  });
}

start().catch(fail);
