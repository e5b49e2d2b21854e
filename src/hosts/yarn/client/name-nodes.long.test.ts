import { lookup } from "node:dns";
import { createServer, type Server } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { NameNodes } from "./name-nodes.ts";
import { type HadoopService, WebClient } from "./web-client.ts";

/** The active one of two; undefined: neither, for a while. */
let active: number | undefined;
let asked: number[];
let servers: readonly Server[];
let services: readonly HadoopService[];

beforeEach(async () => {
  [active, asked] = [0, []];
  servers = [0, 1].map((number) =>
    createServer((_, response) => {
      asked.push(number);
      const refusal = { RemoteException: { exception: "StandbyException", message: "no" } };
      if (number === active) response.end(`${number}`);
      else response.writeHead(403).end(JSON.stringify(refusal));
      // The other becomes active while a client waits.
      if (active === undefined && asked.length > 6) active = 1;
    }),
  );
  services = await Promise.all(
    servers.map(async (server) => {
      await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
      const address = server.address();
      const port = address !== null && typeof address === "object" ? address.port : 0;
      return { what: "the NameNode", base: `http://127.0.0.1:${port}`, from: "the test" };
    }),
  );
});
afterEach(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});

const nameNodes = (): NameNodes => new NameNodes(new WebClient(lookup, "ann"), services);
const answerOf = async (nodes: NameNodes): Promise<string> =>
  (await nodes.ask("GET", "/")).body.toString();

test("the active one is found, and then asked first", async () => {
  active = 1;
  const nodes = nameNodes();
  expect([await answerOf(nodes), await answerOf(nodes)]).toEqual(["1", "1"]);
  expect(asked).toEqual([0, 1, 1]);
});

test("during a failover, each is asked again until one is active", async () => {
  const nodes = nameNodes();
  expect(await answerOf(nodes)).toBe("0");
  active = undefined;
  expect(await answerOf(nodes)).toBe("1");
  // The previously active one may never return.
  active = 0;
  servers[1]?.close();
  servers[1]?.closeAllConnections();
  expect(await answerOf(nodes)).toBe("0");
});

test("if none was ever active, the error comes at once", async () => {
  active = undefined;
  await expect(answerOf(nameNodes())).rejects.toThrow("expected an active NameNode (the test)");
  expect(asked).toEqual([0, 1]);
});
