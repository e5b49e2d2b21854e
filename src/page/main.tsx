/** The script of a page in a file: it brings its document along. */
import { fail, show, useWorker } from "./show.tsx";
import { bytesOf, unpack } from "./wire/unpack.ts";

const carried = (id: string): string => document.getElementById(id)?.textContent ?? "";

async function start(): Promise<void> {
  const state = show(await unpack(carried("document")));
  document.getElementById("document")?.remove();
  useWorker(state, {
    script: async () => bytesOf(carried("worker")),
    ...(carried("job") !== "" && { job: async () => bytesOf(carried("job")) }),
  });
}

start().catch(fail);
