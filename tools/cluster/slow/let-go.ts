/**
 * The companion of the process that slows nodes: `let-go.js DIRECTORY...` waits for the end of its
 * input, which means that the other process has ended, and continues all processes that the other
 * had stopped.
 */
import { once } from "node:events";
import { letGo } from "../processes.ts";

process.stdin.resume();
await once(process.stdin, "end");
for (const directory of process.argv.slice(2)) letGo(directory);
