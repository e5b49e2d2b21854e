import { lookup } from "node:dns";
import { createServer, type Server, type ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ResourceManagers } from "./resource-managers.ts";
import { type HadoopService, NoAnswer, WebClient } from "./web-client.ts";

/** Answers as RMWebAppFilter of Hadoop 3.5 does, active or in stand-by. */
class SmallManager {
  isActive = false;
  readonly asked: string[] = [];
  /** The active one's address as a stand-by manager knows it, useless outside the cluster. */
  #redirect: string | undefined;
  readonly #server: Server;

  constructor(redirect: string | undefined) {
    this.#redirect = redirect;
    this.#server = createServer(({ method, url = "" }, response) => {
      this.asked.push(`${method} ${url}`);
      if (url === "/ws/v1/cluster/info?user.name=ann") {
        const haState = this.isActive ? "ACTIVE" : "STANDBY";
        response.end(JSON.stringify({ clusterInfo: { haState, hadoopVersion: "3.5.0" } }));
      } else if (!this.isActive) this.#redirected(url, response);
      else if (url.includes("apps/nothing")) response.writeHead(404).end();
      else response.writeHead(method === "PUT" ? 202 : 200).end('{"state":"RUNNING"}');
    });
  }

  #redirected(url: string, response: ServerResponse): void {
    const to = this.#redirect;
    if (to === undefined) {
      const said = "Can not find any active RM. Will retry in next 5 seconds.";
      const again = { Refresh: `5;url=http://m1:8088${url}?nextRefreshInterval=1` };
      response.writeHead(307, again).end(`${said}\nHA Zookeeper Connection State: null\n`);
    } else {
      const said = `This is standby RM. The redirect url is: ${url}\n`;
      response.writeHead(307, { Location: `${to}${url}` }).end(said);
    }
  }

  async start(): Promise<HadoopService> {
    await new Promise<void>((done) => this.#server.listen(0, "127.0.0.1", done));
    const address = this.#server.address();
    const port = address !== null && typeof address === "object" ? address.port : 0;
    const base = `http://127.0.0.1:${port}`;
    return { what: "the ResourceManager", base, from: "the test" };
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

let first: SmallManager;
let second: SmallManager;
let managers: ResourceManagers;
let services: readonly HadoopService[];

beforeEach(async () => {
  first = new SmallManager("http://inside.invalid:8088");
  second = new SmallManager(undefined);
  services = [await first.start(), await second.start()];
  managers = new ResourceManagers(new WebClient(lookup, "ann"), services);
});
afterEach(() => {
  first.stop();
  second.stop();
});

test("the active one is found, and then asked first", async () => {
  second.isActive = true;
  expect(await managers.version()).toBe("3.5.0");
  expect(managers.active).toBe(services[1]);
  expect((await managers.json("/ws/v1/cluster/apps/a"))?.text("state")).toBe("RUNNING");
  expect(await managers.json("/ws/v1/cluster/apps/nothing")).toBeUndefined();
  expect(first.asked).toHaveLength(1);
});

test("after a failover, the new active one gets the requests", async () => {
  first.isActive = true;
  expect(await managers.version()).toBe("3.5.0");
  [first.isActive, second.isActive] = [false, true];
  expect((await managers.json("/ws/v1/cluster/apps/a"))?.text("state")).toBe("RUNNING");
  expect(managers.active).toBe(services[1]);
  [first.isActive, second.isActive] = [true, false];
  await managers.put("/ws/v1/cluster/apps/a/state", { state: "KILLED" });
  expect(managers.active).toBe(services[0]);
  expect(first.asked.at(-1)).toBe("PUT /ws/v1/cluster/apps/a/state?user.name=ann");
  first.stop();
  second.isActive = true;
  expect((await managers.json("/ws/v1/cluster/apps/a"))?.text("state")).toBe("RUNNING");
});

test("while none is active, the error has each manager's answer", async () => {
  const asked = managers.json("/ws/v1/cluster/apps/a");
  await expect(asked).rejects.toThrow("expected an active ResourceManager");
  await expect(asked).rejects.toThrow("This is standby RM");
  await expect(asked).rejects.toThrow("Can not find any active RM");
  await expect(managers.version()).rejects.toThrow("its state is STANDBY");
  const alone = new ResourceManagers(new WebClient(lookup, "ann"), services.slice(1));
  await expect(alone.json("/ws/v1/cluster/apps/a")).rejects.toThrow(NoAnswer);
});
