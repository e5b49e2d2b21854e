import { connect } from "node:net";
import { InputError } from "../../../base/input-error.ts";
import { readAnswer, type ServeRequest } from "./protocol.ts";
import type { JobRow } from "./service.ts";

/**
 * Sends a request to the server at this socket. InputError if there is no server, if it refuses, or
 * if its answer is none.
 */
export async function ask(path: string, request: ServeRequest): Promise<readonly JobRow[]> {
  const text = await exchange(path, `${JSON.stringify(request)}\n`);
  if (text === "") throw new InputError("bad-flag", path, "the server was stopped");
  const answer = readAnswer(text, path);
  if (answer.kind === "jobs") return answer.jobs;
  if (answer.kind === "broken") throw new Error(`the server: ${answer.message}`);
  const { code, place, message } = answer;
  throw new InputError(code, place, message.slice(place.length + 2));
}

function exchange(path: string, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    let isConnected = false;
    const socket = connect(path, () => {
      isConnected = true;
      socket.end(request);
    });
    socket.setEncoding("utf8");
    socket.on("data", (part: string) => {
      text += part;
    });
    socket.on("close", () => resolve(text));
    socket.on("error", (error) => {
      if (isConnected) resolve("");
      else reject(noServer(path, error));
    });
  });
}

function noServer(path: string, error: Error): InputError {
  const isThere = !("code" in error && (error.code === "ENOENT" || error.code === "ECONNREFUSED"));
  const reason = isThere ? `: ${error.message}` : "";
  const expected = "expected a server there: start one with `broomwagon serve`";
  return new InputError("missing-file", path, `${expected}${reason}`);
}
