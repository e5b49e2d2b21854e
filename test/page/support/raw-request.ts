import { connect } from "node:net";

/**
 * Sends bytes to a port of this machine; returns everything received until the other side closed.
 */
export function rawRequest(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    let answer = "";
    socket.setEncoding("utf8");
    socket.on("data", (part: string) => {
      answer += part;
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
  });
}

/** The status of a GET or another method with these headers. */
export async function statusOf(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = "GET",
): Promise<number> {
  const all = { Host: `127.0.0.1:${port}`, Connection: "close", ...headers };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const answer = await rawRequest(port, `${method} ${path} HTTP/1.1\r\n${head.join("")}\r\n`);
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
}
