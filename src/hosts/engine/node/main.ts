import { defined } from "../../../base/assert.ts";
import type { ToMaster, ToNode } from "../messages.ts";
import { NodeService } from "./node-service.ts";

/**
 * A node of the embedded cluster. The main thread talks with the master and watches; the user's
 * code runs in one thread per slot, so that no user code can keep the node from sending heartbeats.
 */
let service: NodeService | undefined;

process.on("message", (message: ToNode) => {
  if (message.kind === "start") service = new NodeService(message, send);
  else defined(service, "the first message").follow(message);
});

// The node ends when its master is gone, for any reason. `process.exit` would wait for threads that
// block in a call.
const end = (): void => void process.kill(process.pid, "SIGKILL");
process.on("disconnect", end);
// The master may be gone before the listener is installed.
if (!process.connected) end();

// Ctrl-C reaches the whole process group; only the master decides what it means.
process.on("SIGINT", () => {});

function send(message: ToMaster): void {
  // A channel that closes during a send is reported by `disconnect`.
  process.send?.(message, undefined, undefined, () => {});
}
