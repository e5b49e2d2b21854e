import { createReadStream, statSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream";
import { end } from "./guarded.ts";
import { STUCK_MS } from "./stuck.ts";

/** Sends what a file holds now; lines that are appended meanwhile are left out. */
export function sendFile(path: string | undefined, response: ServerResponse): void {
  const size = path === undefined ? 0 : (statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  if (path === undefined || size === 0) {
    end(response, 404, "no journal: this page was made of a history, or nothing is written yet");
    return;
  }
  response.setHeader("Content-Type", "application/octet-stream");
  const file = createReadStream(path, { end: size - 1 });
  let stuck: NodeJS.Timeout | undefined;
  const wait = (): void => {
    clearTimeout(stuck);
    stuck = setTimeout(() => response.destroy(), STUCK_MS);
  };
  wait();
  response.on("drain", wait);
  // The reader can tell how the answer ended: a file that is cut off has no last chunk.
  pipeline(file, response, () => clearTimeout(stuck));
}
