import { chmodSync, rmSync } from "node:fs";
import { createServer, type Server as NetServer, type Socket } from "node:net";
import { never } from "../../../base/assert.ts";
import { InputError } from "../../../base/input-error.ts";
import { readRequest, type ServeAnswer, type ServeRequest } from "./protocol.ts";
import type { Service } from "./service.ts";
import { prepareSocket } from "./socket-path.ts";

/** Serves clients of the same user on this machine. */
export class SocketServer {
  readonly path: string;
  readonly #service: Service;
  readonly #server: NetServer;
  readonly #clients = new Set<Socket>();

  private constructor(path: string, service: Service) {
    this.path = path;
    this.#service = service;
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#attend(socket));
  }

  /** InputError if another server listens at the path, or if others might access it. */
  static async listen(path: string, service: Service): Promise<SocketServer> {
    await prepareSocket(path);
    rmSync(path, { force: true });
    const server = new SocketServer(path, service);
    await server.#listen();
    chmodSync(path, 0o600);
    return server;
  }

  /** Tells waiting clients that the server ends, and removes the socket. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const client of this.#clients) client.destroy();
    await closed;
    rmSync(this.path, { force: true });
  }

  #listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.on("error", reject);
      this.#server.listen(this.path, () => resolve());
    });
  }

  #attend(socket: Socket): void {
    this.#clients.add(socket);
    socket.on("close", () => this.#clients.delete(socket));
    // A client that disconnects is no error.
    socket.on("error", () => {});
    let text = "";
    socket.setEncoding("utf8");
    socket.on("data", (part: string) => {
      text += part;
    });
    socket.on("end", () => {
      void this.#answer(text).then((answer) => socket.end(`${JSON.stringify(answer)}\n`));
    });
  }

  async #answer(text: string): Promise<ServeAnswer> {
    try {
      return { kind: "jobs", jobs: await this.#follow(readRequest(text, this.path)) };
    } catch (error) {
      if (!(error instanceof InputError)) return { kind: "broken", message: String(error) };
      const { code, place, message } = error;
      return { kind: "refused", code, place, message };
    }
  }

  async #follow(request: ServeRequest) {
    switch (request.kind) {
      case "submit":
        return [await this.#service.submit(request.options)];
      case "jobs":
        return this.#service.jobs;
      case "kill":
        return [this.#service.kill(request.job)];
      case "wait":
        return [await this.#service.ended(request.job)];
      default:
        return never(request);
    }
  }
}
