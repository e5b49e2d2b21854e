/**
 * The process of a page beside a run. It loads what serving a page needs and no command, since the
 * run needs the processor.
 */
import { setTimeout } from "node:timers/promises";
import { assert } from "../../base/assert.ts";
import { isObject } from "../../base/shape.ts";
import { aborted } from "../../library/aborted.ts";
import { keepHeapsSmall } from "../../page-server/memory.ts";
import { PageSource } from "../../page-server/page-source.ts";
import { type PageServer, servePage } from "../../page-server/server.ts";
import type { ToPage, ToServe } from "./beside.ts";
import { fromElsewhere, Shown } from "./shown.ts";

const LOOK_MS = 100;
/**
 * After a run has disconnected, its page lives this long: time for its diagnosis or, if its process
 * was killed, for its resumption, and for readers to receive the verdict.
 */
const SHOWN_MS = { most: 900_000, taken: 2_000 };

/** Serves until Ctrl-C, or until the run's process disconnects and its readers have the verdict. */
async function serve({ port, show, policies }: ToServe): Promise<void> {
  const interruption = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => interruption.abort());
  const over = new AbortController();
  process.on("disconnect", () => over.abort());
  keepHeapsSmall();
  const source = new PageSource();
  const shown = new Shown(source);
  shown.follow({ path: show.journal, policies, refusals: show.refusals === true });
  process.on("message", (message: ToPage) => {
    if ("study" in message) {
      source.learn(message.study);
      return;
    }
    const { journal, against, refusals = false } = message;
    const beside = against === undefined ? {} : { against };
    shown.replace({ path: journal, policies, refusals, ...beside });
  });
  const server = await servePage(source, { port });
  process.stdout.write(`${server.address}\n`);
  process.stderr.write(`${fromElsewhere(server.port)}\n`);
  // The run may have disconnected before this process listened.
  if (process.connected) await aborted(AbortSignal.any([interruption.signal, over.signal]));
  if (!interruption.signal.aborted) await untilShown(source, server);
  await shown.stop();
  await server.close();
}

/** Resolves when the readers of a run have its verdict; at once if there are none. */
async function untilShown(source: PageSource, { readers }: PageServer): Promise<void> {
  const isOpen = (): boolean => source.whole === undefined && source.failure === undefined;
  for (let ms = 0; ms < SHOWN_MS.most && readers() > 0 && isOpen(); ms += LOOK_MS) {
    await setTimeout(LOOK_MS);
  }
  if (readers() > 0) await setTimeout(SHOWN_MS.taken);
}

function toServe(text: string): ToServe {
  const json: unknown = JSON.parse(text);
  assert(isToServe(json), "the run's process says what to serve");
  return json;
}

const isToServe = (json: unknown): json is ToServe =>
  isObject(json) &&
  "port" in json &&
  typeof json.port === "number" &&
  "show" in json &&
  isObject(json.show) &&
  "policies" in json &&
  Array.isArray(json.policies);

serve(toServe(process.argv[2] ?? "")).then(
  () => process.exit(0),
  (error: unknown) => {
    const text = error instanceof Error ? error.message : String(error);
    process.stderr.write(`error: the page: ${text}\n`);
    process.exit(1);
  },
);
