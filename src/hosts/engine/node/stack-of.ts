import type { Session } from "node:inspector";
import type { Worker } from "node:worker_threads";
import { isObject } from "../../../base/shape.ts";

/**
 * The stack that a thread executes right now, in the form of an error's stack. V8's debugger finds
 * it, and interrupts even an endless loop. Undefined if the thread is in a system call, or if no
 * debugger is available.
 */
export async function stackOf(thread: Worker): Promise<string | undefined> {
  try {
    // Loaded on demand, since hardly any node needs it.
    const { Session } = await import("node:inspector");
    const session = new Session();
    session.connect();
    try {
      return await new Promise((resolve) => {
        setTimeout(() => resolve(undefined), ANSWER_MS);
        interrupt(session, thread, resolve);
      });
    } finally {
      // The thread continues once the debugger is detached.
      session.disconnect();
    }
  } catch {
    return undefined;
  }
}

const ANSWER_MS = 1_000;

function interrupt(session: Session, thread: Worker, tell: (stack: string) => void): void {
  const scripts = new Map<string, string>();
  session.on("NodeWorker.attachedToWorker", ({ params: { sessionId, workerInfo } }) => {
    if (Number(workerInfo.workerId) !== thread.threadId) return;
    for (const [id, method] of ["Debugger.enable", "Debugger.pause"].entries()) {
      const message = JSON.stringify({ id, method });
      session.post("NodeWorker.sendMessageToWorker", { sessionId, message });
    }
  });
  session.on("NodeWorker.receivedMessageFromWorker", ({ params }) => {
    const message: unknown = JSON.parse(params.message);
    if (!isUsed(message)) return;
    if (message.method === "Debugger.paused") {
      tell(message.params.callFrames.map(frameText).join("\n"));
    } else scripts.set(message.params.scriptId, message.params.url);
  });
  session.post("NodeWorker.enable", { waitForDebuggerOnStart: false });

  function frameText({ functionName, location }: CallFrame): string {
    const { scriptId, lineNumber, columnNumber = 0 } = location;
    const place = `${scripts.get(scriptId) ?? ""}:${lineNumber + 1}:${columnNumber + 1}`;
    return `    at ${functionName || "<anonymous>"} (${place})`;
  }
}

/** The messages of a worker's debugger that are used here: the protocol's `Debugger`. */
type FromWorker =
  | { readonly method: "Debugger.scriptParsed"; readonly params: ParsedScript }
  | { readonly method: "Debugger.paused"; readonly params: Paused };

/** The debugger is this Node's own: its method says what the parameters are. */
const isUsed = (message: unknown): message is FromWorker =>
  isObject(message) &&
  "method" in message &&
  (message.method === "Debugger.scriptParsed" || message.method === "Debugger.paused") &&
  "params" in message &&
  isObject(message.params);

interface ParsedScript {
  readonly scriptId: string;
  readonly url: string;
}

interface Paused {
  readonly callFrames: readonly CallFrame[];
}

interface CallFrame {
  readonly functionName: string;
  readonly location: {
    readonly scriptId: string;
    /** Counted from 0. */
    readonly lineNumber: number;
    readonly columnNumber?: number;
  };
}
