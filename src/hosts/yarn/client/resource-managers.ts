import { InputError } from "../../../base/input-error.ts";
import { JsonAnswer } from "./json-answer.ts";
import { type HadoopService, NoAnswer, type WebClient } from "./web-client.ts";

const INFO = "/ws/v1/cluster/info";

/**
 * A cluster's ResourceManagers: one is active, and another may take over at any time. One in
 * stand-by redirects clients to the one that it takes for the active one, at an address that
 * is the cluster's own affair: who is active is found among those that the configuration names.
 */
export class ResourceManagers {
  readonly #client: WebClient;
  readonly #services: readonly HadoopService[];
  #active = 0;

  constructor(client: WebClient, services: readonly HadoopService[]) {
    this.#client = client;
    this.#services = services;
  }

  /** The one that answered last as the active one. */
  get active(): HadoopService {
    return this.#service(this.#active);
  }

  /** Hadoop's version. */
  version(): Promise<string> {
    return this.#ofActive(async (service) => {
      const answer = new JsonAnswer(await this.#client.json(service, INFO), INFO);
      const info = answer.part("clusterInfo");
      // This alone one in stand-by answers by itself.
      const state = info.text("haState");
      if (state === "ACTIVE") return info.text("hadoopVersion");
      throw new NoAnswer(`${service.base}: its state is ${state || "unknown"}`);
    });
  }

  /** Undefined: there is no such thing. */
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
      // One in stand-by redirects.
      if (answer.status < 300) return;
      const said = answer.body.toString().slice(0, 200);
      throw new NoAnswer(`${url}: status ${answer.status}: ${said}`);
    });
  }

  /** The one that was active is asked first. */
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
    const said = errors.map(({ message }) => message).join("; ");
    const expected = `expected an active ResourceManager: ${said}`;
    throw new InputError("no-cluster", names || "yarn", expected);
  }

  #service(index: number): HadoopService {
    const service = this.#services[index];
    if (service !== undefined) return service;
    throw new InputError("no-cluster", "yarn", "expected the address of a ResourceManager");
  }
}
