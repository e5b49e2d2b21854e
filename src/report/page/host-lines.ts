import { isObject, type Json } from "../../base/json.ts";
import type { PageHost } from "./document.ts";
import type { RunLog } from "./run-log.ts";

/** Reads the host's lines of a journal: which host it was, and the faults that it caused. */
export class HostLines {
  readonly #log: RunLog;
  /** Ends the faults that are still active. */
  readonly #faults = new Map<string, (at: number) => void>();
  #host: PageHost;

  constructor(slotKinds: readonly string[], log: RunLog) {
    this.#host = slotKinds.includes("container") ? "yarn" : "simulator";
    this.#log = log;
  }

  get host(): PageHost {
    return this.#host;
  }

  read(data: Json): void {
    if (!isObject(data)) return;
    const isEngine = data.kind === "run" || data.kind === "serve";
    if (isEngine && this.#host === "simulator") this.#host = "engine";
    if (data.kind !== "fault" || typeof data.node !== "string") return;
    const { node, fault } = data;
    const [at, key] = [Number(data.at), `${node} ${String(fault)}`];
    if (data.is === "begin") {
      const kind = typeof fault === "string" ? { fault } : {};
      this.#faults.set(key, this.#log.fault(node, { text: String(data.what), ...kind }, at));
      return;
    }
    this.#faults.get(key)?.(at);
    this.#faults.delete(key);
  }
}
