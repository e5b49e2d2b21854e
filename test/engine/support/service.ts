import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One request: what it asks for, and how often that was asked for before. */
export interface Asked {
  readonly of: string;
  readonly before: number;
}

/** How the service answers; `never`: the caller must hang up. */
export type Answer =
  | { readonly status: number; readonly text: string; readonly afterMs?: number }
  | "never";

/** A real service on this machine, which counts what it is asked. */
export class Service {
  readonly #server: Server;
  readonly #answer: (asked: Asked) => Answer;
  /** How often each thing was asked for. */
  readonly asked = new Map<string, number>();
  /** The requests whose callers hung up before the answer. */
  readonly hungUp: string[] = [];
  #open = 0;
  #openMost = 0;
  readonly #waiters: (() => void)[] = [];

  private constructor(server: Server, answer: (asked: Asked) => Answer) {
    this.#server = server;
    this.#answer = answer;
  }

  static async start(answer: (asked: Asked) => Answer): Promise<Service> {
    const server = createServer();
    const service = new Service(server, answer);
    server.on("request", (request, response) => service.#receive(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return service;
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${isPort(address) ? address.port : 0}`;
  }

  /** The most requests that were open at once. */
  get openMost(): number {
    return this.#openMost;
  }

  get requests(): number {
    return [...this.asked.values()].reduce((sum, times) => sum + times, 0);
  }

  /** Resolves when the claim holds; looks at each request. */
  async until(claim: () => boolean): Promise<void> {
    while (!claim()) await new Promise<void>((resolve) => this.#waiters.push(resolve));
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const of = decodeURIComponent((request.url ?? "").slice(1));
    const before = this.asked.get(of) ?? 0;
    this.asked.set(of, before + 1);
    this.#open++;
    this.#openMost = Math.max(this.#openMost, this.#open);
    response.on("close", () => {
      if (!response.writableFinished) this.hungUp.push(of);
    });
    const answer = this.#answer({ of, before });
    if (answer !== "never") {
      const { status, text, afterMs = 0 } = answer;
      setTimeout(() => {
        this.#open--;
        response.writeHead(status).end(text);
      }, afterMs);
    }
    for (const wake of this.#waiters.splice(0)) wake();
  }
}

const isPort = (address: AddressInfo | string | null): address is AddressInfo =>
  typeof address === "object" && address !== null;
