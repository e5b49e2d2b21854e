import { once } from "node:events";
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { PageSource } from "../../src/page-server/page-source.ts";
import type { PageServer, servePage } from "../../src/page-server/server.ts";
import { rawRequest, statusOf } from "./support/raw-request.ts";

/** The page's script and style come from the build. */
const BUILT = new URL("../../dist/page-server/server.js", import.meta.url).href;

/** Bytes: more than the system keeps for a connection, which may be 36 MB. */
const MORE_THAN_KEPT = 64e6;

describe("no one else can read a page: each rule with a real socket", () => {
  const source = new PageSource();
  let server: PageServer;
  let key = "";

  beforeAll(async () => {
    const built: { readonly servePage: typeof servePage } = await import(BUILT);
    server = await built.servePage(source);
    key = new URL(server.address).hash.slice(1);
  });

  afterAll(() => server.close());

  const withKey = () => ({ Authorization: `Bearer ${key}` });
  /** A connection with the key, after its answer has begun. */
  const ask = async (target: string): Promise<Socket> => {
    const socket = connect(server.port, "127.0.0.1");
    const head = `Host: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${key}\r\n\r\n`;
    socket.write(`GET ${target} HTTP/1.1\r\n${head}`);
    await once(socket, "data");
    return socket;
  };

  test("the address has a key of 128 bits behind #, and no part of the key before it", () => {
    expect(server.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#[\w-]{22}$/);
  });

  test("the server listens only on 127.0.0.1", async () => {
    const others = Object.values(networkInterfaces())
      .flatMap((all) => all ?? [])
      .filter(({ family, internal }) => family === "IPv4" && !internal);
    for (const { address } of others) {
      const reached = await new Promise<boolean>((resolve) => {
        const socket = connect(server.port, address, () => resolve(true));
        socket.on("error", () => resolve(false));
      });
      expect(reached).toBe(false);
    }
  });

  test("the page itself has no data, and may run only its own script", async () => {
    const answer = await rawRequest(
      server.port,
      `GET / HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nConnection: close\r\n\r\n`,
    );
    const policy = /^Content-Security-Policy: (.*)$/m.exec(answer)?.[1] ?? "";
    expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-[^ ]+'; style-src 'sha256-/);
    for (const part of ["connect-src 'self'", "frame-ancestors 'none'", "form-action 'none'"]) {
      expect(policy).toContain(part);
    }
    for (const header of [
      "X-Content-Type-Options: nosniff",
      "Referrer-Policy: no-referrer",
      "Cache-Control: no-store",
      "Cross-Origin-Resource-Policy: same-origin",
      "Cross-Origin-Opener-Policy: same-origin",
    ]) {
      expect(answer).toContain(header);
    }
    expect(answer).not.toContain("Access-Control");
    expect(answer).not.toContain('id="document"');
    expect(answer).not.toContain(key);
  });

  test.each([
    ["no key", "/rows", {}, "GET", 401],
    ["a wrong key", "/rows", { Authorization: "Bearer AAAAAAAAAAAAAAAAAAAAAA" }, "GET", 401],
    ["no key, for what is over", "/document", {}, "GET", 401],
    ["another host's name", "/", { Host: "evil.example" }, "GET", 421],
    ["another port", "/", { Host: "127.0.0.1:1" }, "GET", 421],
    ["another origin", "/", { Origin: "http://evil.example" }, "GET", 403],
    ["another site", "/", { "Sec-Fetch-Site": "cross-site" }, "GET", 403],
    ["a neighbour", "/", { "Sec-Fetch-Site": "same-site" }, "GET", 403],
    ["POST", "/rows", {}, "POST", 405],
    ["OPTIONS", "/rows", {}, "OPTIONS", 405],
  ] as const)("%s: %s is refused", async (_, path, headers, method, status) => {
    expect(await statusOf(server.port, path, headers, method)).toBe(status);
  });

  test.each(["/file", "/journal", "/jobs", "/why", "/whatif", "/compare"])(
    "%s is for the page alone, and changes nothing",
    async (path) => {
      const asked = async (headers: Readonly<Record<string, string>>, method = "GET") =>
        statusOf(server.port, path, headers, method);
      expect(await asked({})).toBe(401);
      expect(await asked({ Authorization: "Bearer AAAAAAAAAAAAAAAAAAAAAA" })).toBe(401);
      for (const [headers, status] of [
        [{ Host: "evil.example" }, 421],
        [{ Origin: "http://evil.example" }, 403],
        [{ "Sec-Fetch-Site": "cross-site" }, 403],
      ] as const) {
        expect(await asked({ ...withKey(), ...headers })).toBe(status);
      }
      for (const method of ["POST", "PUT", "DELETE", "HEAD", "OPTIONS"]) {
        expect(await asked(withKey(), method)).toBe(405);
      }
    },
  );

  test("data that the page lacks gives 404 or 503, with a sentence", async () => {
    const asked = (path: string): Promise<string> =>
      rawRequest(
        server.port,
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nConnection: close\r\n` +
          `Authorization: Bearer ${key}\r\n\r\n`,
      );
    for (const [path, answer] of [
      ["/why", /^HTTP\/1\.1 404 .*no diagnosis: the run goes on, or could not be diagnosed\n$/s],
      ["/whatif", /^HTTP\/1\.1 404 .*no what-if: no other policy was tried\n$/s],
      ["/compare", /^HTTP\/1\.1 404 .*no comparison: no other run stands beside this one\n$/s],
      ["/jobs", /^HTTP\/1\.1 404 .*no jobs yet\n$/s],
      ["/journal", /^HTTP\/1\.1 404 .*no journal: /s],
      ["/file", /^HTTP\/1\.1 503 .*nothing is known yet\n$/s],
    ] as const) {
      expect(await asked(path)).toMatch(answer);
    }
    source.origin = { soFar: () => Promise.reject(new Error("the disk is full")) };
    expect(await asked("/file")).toMatch(/^HTTP\/1\.1 503 .*the disk is full\n$/s);
    source.origin = {};
  });

  test("a journal is sent as it is now; a reader that takes nothing is dropped", async () => {
    const folder = mkdtempSync(join(tmpdir(), "broomwagon-server-"));
    const journal = join(folder, "journal.ndjson");
    source.origin = { journal };
    writeFileSync(journal, "x".repeat(MORE_THAN_KEPT));
    const address = `http://127.0.0.1:${server.port}/journal`;
    const whole = await fetch(address, { headers: withKey() });
    appendFileSync(journal, "y".repeat(9));
    expect(await whole.text()).toBe("x".repeat(MORE_THAN_KEPT));
    await vi.waitFor(() => expect(server.readers()).toBe(0));
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const socket = (await ask("/journal")).pause();
      // Until the system's buffers for the connection are full.
      await setTimeout(500);
      await vi.advanceTimersByTimeAsync(59_000);
      expect(server.readers()).toBe(1);
      await vi.advanceTimersByTimeAsync(2_000);
      vi.useRealTimers();
      await vi.waitFor(() => expect(server.readers()).toBe(0));
      socket.destroy();
    } finally {
      vi.useRealTimers();
      source.origin = {};
      rmSync(folder, { recursive: true });
    }
  });

  test.each(["//", "//evil.example/", "*", "http://[", "http://127.0.0.1/", "evil.example"])(
    "a request for %s is refused, with the key or without, and the server goes on",
    async (target) => {
      expect(await statusOf(server.port, target)).toBe(400);
      expect(await statusOf(server.port, target, withKey())).toBe(400);
      expect(await statusOf(server.port, "/")).toBe(200);
    },
  );

  test.each(["/%", "/%zz?%=%", "/\\evil.example", "/rows?run=%", "/rows?run=1&after=-1e300"])(
    "the odd target %s needs the key like any other, and the server goes on",
    async (target) => {
      expect(await statusOf(server.port, target)).toBe(401);
      const socket = await ask(target);
      socket.destroy();
      expect(await statusOf(server.port, "/")).toBe(200);
    },
  );

  test("an unexpected error ends its own answer with 500, and no other", async () => {
    const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const broken = vi.spyOn(source, "whole", "get").mockImplementation(() => {
      throw new Error("a bug of ours");
    });
    expect(await statusOf(server.port, "/document", withKey())).toBe(500);
    expect(said).toHaveBeenCalledWith(expect.stringContaining("a bug of ours"));
    // Also in the middle of an answer: the connection is cut.
    const socket = await ask("/rows");
    await once(socket, "close");
    broken.mockRestore();
    said.mockRestore();
    expect(await statusOf(server.port, "/document", withKey())).toBe(404);
  });

  test("the key works with either name of this machine", async () => {
    const host = { Host: `localhost:${server.port}` };
    expect(await statusOf(server.port, "/nothing", withKey())).toBe(404);
    expect(await statusOf(server.port, "/nothing", { ...withKey(), ...host })).toBe(404);
  });

  test("a head that is too long is refused", async () => {
    expect(await statusOf(server.port, "/", { "X-Long": "x".repeat(9_000) })).toBe(431);
  });

  test("a request whose head does not end is dropped after 5 s", async () => {
    const began = performance.now();
    const head = `GET / HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nX: `;
    expect(await rawRequest(server.port, head)).toMatch(/^HTTP\/1\.1 408 /);
    const tookMs = performance.now() - began;
    expect(tookMs).toBeGreaterThan(4_900);
    expect(tookMs).toBeLessThan(9_000);
  }, 15_000);

  test("a reader that takes nothing is dropped 60 s after it last took something", async () => {
    const much = { scenario: "x".repeat(MORE_THAN_KEPT), seeds: 1, rows: [] };
    const untilReaders = (count: number) =>
      vi.waitFor(() => expect(server.readers()).toBe(count), 5_000);
    await untilReaders(0);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const socket = (await ask("/rows")).pause();
      const send = async (): Promise<void> => {
        // Frames are 200 ms apart by a clock that the test does not set.
        await setTimeout(250);
        source.learn(much);
        await vi.advanceTimersByTimeAsync(1_000);
      };
      await send();
      await vi.advanceTimersByTimeAsync(58_000);
      let bytes = 0;
      for await (const part of socket.iterator({ destroyOnReturn: false })) {
        bytes += part.length;
        if (bytes > MORE_THAN_KEPT) break;
      }
      socket.pause();
      await send();
      await vi.advanceTimersByTimeAsync(58_000);
      expect(server.readers()).toBe(1);
      await vi.advanceTimersByTimeAsync(2_000);
      vi.useRealTimers();
      await untilReaders(0);
      socket.destroy();
    } finally {
      vi.useRealTimers();
    }
  });

  test("the 17th reader is refused", async () => {
    const head = `Host: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${key}\r\n\r\n`;
    const sockets = Array.from({ length: 16 }, () => {
      const socket = connect(server.port, "127.0.0.1");
      socket.write(`GET /rows?after=0 HTTP/1.1\r\n${head}`);
      return new Promise<typeof socket>((resolve) => socket.once("data", () => resolve(socket)));
    });
    const open = await Promise.all(sockets);
    expect(await statusOf(server.port, "/rows", withKey())).toBe(503);
    for (const socket of open) socket.destroy();
  });
});

test("a run is followed from its first reader on, who waits for what is known", async () => {
  const source = new PageSource();
  let starts = 0;
  source.whenRead(() => {
    starts += 1;
    void setTimeout(100).then(() => source.fail("line 3 is damaged"));
  });
  const built: { readonly servePage: typeof servePage } = await import(BUILT);
  const server = await built.servePage(source);
  const key = new URL(server.address).hash.slice(1);
  const withKey = { Authorization: `Bearer ${key}` };
  try {
    await statusOf(server.port, "/");
    await statusOf(server.port, "/jobs");
    expect(starts).toBe(0);
    await statusOf(server.port, "/jobs", withKey);
    expect([starts, source.failure]).toEqual([1, "line 3 is damaged"]);
    source.restart();
    source.whenRead(() => {
      starts += 1;
    });
    expect(starts).toBe(2);
  } finally {
    await server.close();
  }
});
