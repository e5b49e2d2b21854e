import { type IncomingMessage, request as plainRequest } from "node:http";
import { request as securedRequest } from "node:https";
import type { LookupFunction } from "node:net";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { InputError } from "../../../base/input-error.ts";

/** One of Hadoop's web services, and the property that gives its address. */
export interface HadoopService {
  /** For instance `the NameNode`. */
  readonly what: string;
  /** For instance `http://m1:9870`, without a slash at its end. */
  readonly base: string;
  readonly from: string;
}

export interface WebRequest {
  readonly method: "GET" | "PUT" | "POST" | "DELETE";
  readonly url: string;
  readonly body?: Uint8Array | Readable | undefined;
  readonly type?: string;
}

export interface WebAnswer {
  readonly status: number;
  readonly location: string | undefined;
  readonly body: Buffer;
}

/** A service did not answer: it is down, or elsewhere. */
export class NoAnswer extends Error {
  override readonly name: string = "NoAnswer";
}

/** A service has the resource but denies access. */
export class NotAllowed extends NoAnswer {
  override readonly name = "NotAllowed";
}

/** How long a service may take to answer. */
const TIMEOUT_MS = 30_000;

/** HTTP with the host names of the cluster, and simple authentication. */
export class WebClient {
  /** Sent with each request. Without a user Hadoop assumes `dr.who`, whom access lists exclude. */
  readonly user: string;
  readonly #lookup: LookupFunction;

  constructor(lookup: LookupFunction, user: string) {
    this.#lookup = lookup;
    this.user = user;
  }

  /** The whole answer, whatever its status; NoAnswer if there is none. */
  async ask(request: WebRequest): Promise<WebAnswer> {
    return this.#answered(request, async (message) => {
      const chunks: Buffer[] = [];
      for await (const chunk of message) chunks.push(Buffer.from(chunk));
      return {
        status: message.statusCode ?? 0,
        location: message.headers.location,
        body: Buffer.concat(chunks),
      };
    });
  }

  /**
   * A JSON document of the service; InputError if the service does not answer, undefined if it has
   * no such document.
   */
  async json(service: HadoopService, path: string): Promise<unknown> {
    const url = `${service.base}${path}`;
    const { status, body } = await this.atService(service, { method: "GET", url });
    if (status === 404) return undefined;
    const text = body.toString();
    if (status !== 200) {
      const refusal = `${url}: status ${status}: ${firstLine(text)}`;
      throw isForbidden(status, text) ? new NotAllowed(refusal) : new NoAnswer(refusal);
    }
    try {
      return JSON.parse(text);
    } catch {
      throw new NoAnswer(`${url}: expected JSON, found ${firstLine(text)}`);
    }
  }

  /** Errors name the service that did not answer, and where its address is configured. */
  async atService(service: HadoopService, request: WebRequest): Promise<WebAnswer> {
    try {
      return await this.ask(request);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      const expected = `expected ${service.what} there (${service.from}): ${error.message}`;
      throw new InputError("no-cluster", service.base, expected);
    }
  }

  async #answered<T>(
    request: WebRequest,
    use: (message: IncomingMessage) => Promise<T>,
  ): Promise<T> {
    const { method, url, body, type } = request;
    try {
      const message = await new Promise<IncomingMessage>((answer, refuse) => {
        const send = url.startsWith("https:") ? securedRequest : plainRequest;
        const headers = {
          // Asks for JSON where there is a choice; logs exist only as text.
          accept: "application/json, */*;q=0.1",
          ...(type !== undefined && { "content-type": type }),
          ...(body instanceof Uint8Array && { "content-length": body.length }),
        };
        const sent = send(this.#named(url), { method, headers, lookup: this.#lookup }, answer);
        sent.on("error", refuse);
        sent.setTimeout(TIMEOUT_MS, () => sent.destroy(new Error("no answer in time")));
        if (body === undefined || body instanceof Uint8Array) sent.end(body);
        else pipeline(body, sent).catch(refuse);
      });
      return await use(message);
    } catch (error) {
      throw new NoAnswer(reasonOf(error), { cause: error });
    }
  }

  /** The NameNode has already added the user to a DataNode's address. */
  #named(url: string): string {
    if (/[?&]user\.name=/.test(url)) return url;
    return `${url}${url.includes("?") ? "&" : "?"}user.name=${encodeURIComponent(this.user)}`;
  }
}

/** The history server of Hadoop 3.5 reports a denial with status 503. */
const isForbidden = (status: number, text: string): boolean =>
  status === 401 || status === 403 || text.includes("HTTP 401 Unauthorized");

const REASONS: ReadonlyMap<unknown, string> = new Map([
  ["ECONNREFUSED", "connection refused"],
  ["ECONNRESET", "connection reset"],
  ["ENOTFOUND", "no such host"],
  ["EAI_AGAIN", "no such host"],
  ["EHOSTUNREACH", "no route to that host"],
  ["ETIMEDOUT", "no answer in time"],
]);

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return REASONS.get("code" in error ? error.code : undefined) ?? error.message;
}

const firstLine = (text: string): string => text.trim().split("\n", 1)[0]?.slice(0, 200) ?? "";
