import { defined } from "../../../base/assert.ts";
import type { ToMaster, ToNode } from "../messages.ts";
import { NodeService } from "./node-service.ts";

/**
 * A node of the embedded cluster: this thread talks with the master and watches; the user's code
 * runs in one thread for each slot, so that nothing it does can keep the node from being heard.
 */
let service: NodeService | undefined;

process.on("message", (message: ToNode) => {
  if (message.kind === "start") service = new NodeService(message, send);
  else defined(service, "the first message").follow(message);
});

// A master that is gone, however it went, takes its nodes with it. To exit would be to wait for
// threads that block in a call.
const end = (): void => void process.kill(process.pid, "SIGKILL");
process.on("disconnect", end);
// It may have gone before anybody listened.
if (!process.connected) end();

// Ctrl-C reaches the whole process group; only the master decides what it means.
process.on("SIGINT", () => {});

function send(message: ToMaster): void {
  // A channel that closes under our hands says so by `disconnect`.
  process.send?.(message, undefined, undefined, () => {});
}
