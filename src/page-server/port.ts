import { createServer, type Server } from "node:net";
import { InputError } from "../base/input-error.ts";

/** Listens for this machine alone. InputError at `place`, a flag, if the port cannot be had. */
export const listenHere = (server: Server, port: number, place: string): Promise<void> =>
  new Promise((resolve, reject) => {
    // Later errors, of a connection that could not be accepted, change nothing.
    server.on("error", (error) => reject(asInputError(error, place)));
    server.listen(port, "127.0.0.1", () => resolve());
  });

/** As `listenHere`, for a port that another process will use. */
export async function checkPort(port: number, place: string): Promise<void> {
  const server = createServer();
  await listenHere(server, port, place);
  await new Promise((resolve) => server.close(resolve));
}

function asInputError(error: Error, place: string): Error {
  const code = "code" in error ? error.code : undefined;
  const expected = EXPECTED.get(code);
  return expected === undefined ? error : new InputError("bad-flag", place, expected);
}

const EXPECTED: ReadonlyMap<unknown, string> = new Map([
  ["EADDRINUSE", "expected a free port: another program listens on this one"],
  ["EACCES", "expected a port that this user may listen on"],
]);
