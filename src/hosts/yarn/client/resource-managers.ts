import { InputError } from "../../../base/input-error.ts";
import { JsonAnswer } from "./json-answer.ts";
import { type HadoopService, NoAnswer, type WebClient } from "./web-client.ts";

const INFO = "/ws/v1/cluster/info";

/**
 * A cluster's ResourceManagers: one is active, and another may take over at any time. A manager in
 * stand-by redirects clients to the active one at an address that may only work inside the cluster,
 * so the active one is sought among the configured managers.
 */
export class ResourceManagers {
  readonly #client: WebClient;
  readonly #services: readonly HadoopService[];
  #active = 0;

  constructor(client: WebClient, services: readonly HadoopService[]) {
    this.#client = client;
    this.#services = services;
  }

  /** The manager that last answered as the active one. */
  get active(): HadoopService {
    return this.#service(this.#active);
  }

  /** Hadoop's version. */
  version(): Promise<string> {
    return this.#ofActive(async (service) => {
      const answer = new JsonAnswer(await this.#client.json(service, INFO), INFO);
      const info = answer.part("clusterInfo");
      // This is the only page that a manager in stand-by answers by itself.
      const state = info.text("haState");
      if (state === "ACTIVE") return info.text("hadoopVersion");
      throw new NoAnswer(`${service.base}: its state is ${state || "unknown"}`);
    });
  }

  /** Undefined if the manager has no such resource. */
  json(path: string): Promise<JsonAnswer | undefined> {
    return this.#ofActive(async (service) => {
      const answer = await this.#client.json(service, path);
      return answer === undefined ? undefined : new JsonAnswer(answer, path);
    });
  }

  put(path: string, value: object): Promise<void> {
    return this.#ofActive(async (service) => {
      const [url, type] = [`${service.base}${path}`, "application/json"];
      const body = Buffer.from(JSON.stringify(value));
      const answer = await this.#client.atService(service, { method: "PUT", url, body, type });
      // A manager in stand-by redirects.
      if (answer.status < 300) return;
      const reason = answer.body.toString().slice(0, 200);
      throw new NoAnswer(`${url}: status ${answer.status}: ${reason}`);
    });
  }

  /** Asks the last active manager first. */
  async #ofActive<T>(ask: (service: HadoopService) => Promise<T>): Promise<T> {
    const errors: (NoAnswer | InputError)[] = [];
    for (const [turn] of this.#services.entries()) {
      const index = (this.#active + turn) % this.#services.length;
      try {
        const answer = await ask(this.#service(index));
        this.#active = index;
        return answer;
      } catch (error) {
        if (!(error instanceof NoAnswer || error instanceof InputError)) throw error;
        errors.push(error);
      }
    }
    const [only] = errors;
    if (errors.length === 1) throw only;
    const names = this.#services.map(({ base }) => base).join(", ");
    const reason = errors.map(({ message }) => message).join("; ");
    const expected = `expected an active ResourceManager: ${reason}`;
    throw new InputError("no-cluster", names || "yarn", expected);
  }

  #service(index: number): HadoopService {
    const service = this.#services[index];
    if (service !== undefined) return service;
    throw new InputError("no-cluster", "yarn", "expected the address of a ResourceManager");
  }
}
