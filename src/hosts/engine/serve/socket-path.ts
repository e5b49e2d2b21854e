import { chmodSync, existsSync, lstatSync, mkdirSync } from "node:fs";
import { connect } from "node:net";
import { dirname, resolve } from "node:path";
import { InputError } from "../../../base/input-error.ts";
import { makeDirectory } from "../../../run/user-path.ts";

/** The default path of a server's socket. */
export const SOCKET = ".broomwagon/serve/socket";

/** The size of `sun_path` in unix(7), less its final zero byte. */
const LENGTH_MAX = 107;

/** The absolute path; InputError if the system cannot have a socket there. */
export function socketPath(path: string): string {
  const whole = resolve(path);
  if (Buffer.byteLength(whole) <= LENGTH_MAX) return whole;
  const expected = `expected a path of ${LENGTH_MAX} bytes at most; name another with --socket`;
  throw new InputError("bad-flag", whole, expected);
}

/**
 * Makes the socket's directory if needed; only its user may enter it. InputError if others may, if
 * a server listens there, or if the path is not a socket.
 */
export async function prepareSocket(path: string): Promise<void> {
  makePrivate(path);
  if (await isServed(path)) {
    throw new InputError("bad-flag", path, "a server listens there already; stop it first");
  }
  const isOther = lstatSync(path, { throwIfNoEntry: false })?.isSocket() === false;
  if (isOther) throw new InputError("bad-flag", path, "expected a socket, or nothing there");
}

function makePrivate(path: string): void {
  const directory = dirname(path);
  if (!existsSync(directory)) {
    makeDirectory(dirname(directory));
    mkdirSync(directory, { mode: 0o700 });
    // Independent of the umask.
    chmodSync(directory, 0o700);
  }
  const { mode, uid } = lstatSync(directory);
  if ((mode & 0o077) === 0 && uid === process.getuid?.()) return;
  const expected = "expected a directory that only you may enter (chmod 700), or none";
  throw new InputError("bad-flag", directory, expected);
}

/** A socket outlives a process that was killed. */
function isServed(path: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(path);
    socket.on("connect", () => {
      socket.destroy();
      done(true);
    });
    socket.on("error", () => done(false));
  });
}
