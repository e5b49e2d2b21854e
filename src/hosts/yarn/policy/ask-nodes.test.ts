import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { askNodes } from "./ask-nodes.ts";

const N1 = { nodeHostName: "n1", rack: "/rack1", state: "RUNNING", id: "n1:45454" };
const SIZE = { usedMemoryMB: 512, availMemoryMB: 1024, usedVirtualCores: 1 };

let server: Server;
let port = 0;
const asked: string[] = [];

beforeAll(async () => {
  server = createServer(({ headers, url = "" }, response) => {
    asked.push(`${headers.host} ${url}`);
    if (headers.host?.startsWith("standby.")) {
      response.statusCode = 307;
      response.end("This is standby RM");
      return;
    }
    response.end(
      JSON.stringify({ nodes: { node: [{ ...N1, ...SIZE, availableVirtualCores: 3 }] } }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address !== null && typeof address === "object") port = address.port;
});

afterAll(() => server.close());

const manager = (name: string) => ({ url: `http://${name}:${port}`, address: "127.0.0.1" });
const { signal } = new AbortController();
const ann = { user: "ann & co", signal };

test("asks at the address, without resolving the name, and the active one of two", async () => {
  asked.length = 0;
  const facts = await askNodes([manager("standby.invalid"), manager("active.invalid")], ann);
  const node = { host: "n1", rack: "/rack1", state: "RUNNING", memoryMb: 1536, vcores: 4 };
  expect(facts).toEqual({ type: "facts", nodes: [node] });
  const path = "/ws/v1/cluster/nodes?states=RUNNING&user.name=ann+%26+co";
  expect(asked).toEqual([`standby.invalid:${port} ${path}`, `active.invalid:${port} ${path}`]);
});

test("names no user if the user is unknown", async () => {
  asked.length = 0;
  await askNodes([manager("active.invalid")], { user: undefined, signal });
  expect(asked).toEqual([`active.invalid:${port} /ws/v1/cluster/nodes?states=RUNNING`]);
});

test("says why there is no answer", async () => {
  const facts = await askNodes([manager("standby.invalid")], ann);
  expect(facts).toMatchObject({ nodes: [], error: expect.stringContaining("status 307") });
  expect((await askNodes([], ann)).error).toBe("no ResourceManager was named");
});
