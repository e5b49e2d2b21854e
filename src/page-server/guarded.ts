import type { ServerResponse } from "node:http";

/** Does a part of an answer: a bug there ends this answer, but not the server or a run. */
export function guarded(response: ServerResponse, act: () => void): void {
  try {
    act();
  } catch (error) {
    const text = error instanceof Error ? error.stack : String(error);
    process.stderr.write(`bug: ${text}\n`);
    if (response.headersSent) response.destroy();
    else end(response, 500, "this server has a bug");
  }
}

/** The whole answer is a line of text. */
export function end(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.setHeader("Content-Type", "text/plain; charset=utf-8");
  response.setHeader("Connection", "close");
  response.end(`${text}\n`);
}
