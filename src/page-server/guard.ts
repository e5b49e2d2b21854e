import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

export interface Refused {
  readonly status: 401 | 403 | 405 | 421;
  readonly why: string;
}

/**
 * Why a request is refused; only the page itself, which has the key, is answered. `isOpen`: no key
 * is needed, as for the empty page, whose script sends the key later.
 */
export function refusal(
  { method, headers }: Pick<IncomingMessage, "method" | "headers">,
  { port, key, isOpen }: { readonly port: number; readonly key: string; readonly isOpen: boolean },
): Refused | undefined {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  // Another host name that resolves to 127.0.0.1 is refused.
  if (!hosts.includes(headers.host ?? "")) return { status: 421, why: "not this server's name" };
  const { origin } = headers;
  if (origin !== undefined && !hosts.some((host) => origin === `http://${host}`)) {
    return { status: 403, why: "a request of another page" };
  }
  const site = headers["sec-fetch-site"] ?? "none";
  if (site !== "same-origin" && site !== "none") {
    return { status: 403, why: "a request of another page" };
  }
  if (method !== "GET") return { status: 405, why: "this server only shows" };
  if (isOpen || isSame(headers.authorization ?? "", `Bearer ${key}`)) return undefined;
  return { status: 401, why: "open the address that was printed, with its key behind #" };
}

/** Compares in constant time, so that the time does not reveal how much agrees. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
