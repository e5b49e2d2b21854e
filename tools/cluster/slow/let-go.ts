/**
 * The process beside the one that slows nodes: `let-go.js DIRECTORY...` waits for the end of its
 * input, which is that of the other, and lets go on what that one has stopped.
 */
import { once } from "node:events";
import { letGo } from "../processes.ts";

process.stdin.resume();
await once(process.stdin, "end");
for (const directory of process.argv.slice(2)) letGo(directory);
