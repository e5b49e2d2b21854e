import { setTimeout as sleep } from "node:timers/promises";
import { InputError } from "../../../base/input-error.ts";
import type { HadoopService, WebAnswer, WebClient, WebRequest } from "./web-client.ts";

/** How long another NameNode may take to become active. */
const TAKE_OVER_MS = 60_000;
const AGAIN_MS = 500;

/**
 * A cluster's NameNodes, one of which is active; where there are several, another may take over at
 * any time. Every request here may be repeated, whether or not it took effect.
 */
export class NameNodes {
  readonly #client: WebClient;
  readonly #services: readonly HadoopService[];
  /** The index of the NameNode that last answered as the active one. */
  #active: number | undefined;

  constructor(client: WebClient, services: readonly HadoopService[]) {
    this.#client = client;
    this.#services = services;
  }

  /**
   * `path` with its query, such as `/webhdfs/v1/in?op=OPEN`. InputError if no NameNode is active.
   */
  async ask(method: WebRequest["method"], path: string): Promise<WebAnswer> {
    // Until a NameNode has answered, the configuration may be wrong, so failing early is right.
    const isPatient = this.#active !== undefined && this.#services.length > 1;
    const until = performance.now() + (isPatient ? TAKE_OVER_MS : 0);
    for (;;) {
      const answer = await this.#ofActive(method, path);
      if (!(answer instanceof InputError)) return answer;
      if (performance.now() >= until) throw answer;
      await sleep(AGAIN_MS);
    }
  }

  /** Asks the last active NameNode first. */
  async #ofActive(method: WebRequest["method"], path: string): Promise<WebAnswer | InputError> {
    let silent: InputError | undefined;
    for (const [turn] of this.#services.entries()) {
      const index = ((this.#active ?? 0) + turn) % this.#services.length;
      const service = this.#services[index];
      if (service === undefined) continue;
      try {
        const url = `${service.base}${path}`;
        const answer = await this.#client.atService(service, { method, url });
        if (answer.status === 403 && answer.body.includes("StandbyException")) continue;
        this.#active = index;
        return answer;
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        silent = error;
      }
    }
    if (silent !== undefined) return silent;
    const [first] = this.#services;
    const names = this.#services.map(({ base }) => base).join(", ");
    return new InputError("no-cluster", names, `expected an active NameNode (${first?.from})`);
  }
}
