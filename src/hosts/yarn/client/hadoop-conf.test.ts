import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { HadoopConf } from "./hadoop-conf.ts";
import { hdfsPath } from "./hdfs-path.ts";
import { servicesOf } from "./services.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "broomwagon-conf-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

type Properties = Readonly<Record<string, string>>;

function write(name: string, properties: Properties, final: readonly string[] = []): void {
  const lines = Object.entries(properties).map(([key, value]) => {
    const last = final.includes(key) ? "<final>true</final>" : "";
    return `<property><name>${key}</name><value> ${value}\n</value>${last}</property>`;
  });
  writeFileSync(join(directory, name), `<configuration>${lines.join("\n")}</configuration>`);
}

/** A reference to another property. */
const value = (name: string): string => `$\{${name}}`;

const read = (environment: NodeJS.ProcessEnv = {}): HadoopConf =>
  HadoopConf.read(directory, environment);

describe("a configuration is read as Hadoop reads it", () => {
  test("values refer to other properties and to variables, with defaults", () => {
    const [c, d] = [value("env.NONE:-else"), value("no")];
    write("core-site.xml", { a: `${value("b")}/x`, b: value("env.NAME"), c, d });
    const conf = read({ NAME: "ann" });
    expect(["a", "c", "d"].map((name) => conf.text(name, ""))).toEqual(["ann/x", "else", d]);
  });

  test("of two files the later wins, unless the first is final", () => {
    write("core-site.xml", { a: "1", b: "1" }, ["b"]);
    write("yarn-site.xml", { a: "2", b: "2" });
    expect([read().text("a", ""), read().text("b", "")]).toEqual(["2", "1"]);
    expect(read().find("a")?.from).toBe(`a of ${join(directory, "yarn-site.xml")}`);
  });

  test("a value that refers to itself ends", () => {
    write("core-site.xml", { a: value("a") });
    expect(read().text("a", "")).toBe(value("a"));
  });

  test("a malformed configuration is reported with its place", () => {
    expect(() => read()).toThrow(`${directory}: expected a directory with core-site.xml`);
    writeFileSync(join(directory, "core-site.xml"), "<configuration>\n<property>");
    expect(() => read()).toThrow("core-site.xml:2:");
    writeFileSync(join(directory, "core-site.xml"), "<other/>");
    expect(() => read()).toThrow("expected <configuration>");
  });
});

describe("where services are", () => {
  const CORE = { "fs.defaultFS": "hdfs://m1:8020" };

  test("have Hadoop's default ports on the configured hosts", () => {
    write("core-site.xml", CORE);
    write("yarn-site.xml", { "yarn.resourcemanager.hostname": "m2" });
    const { fileSystem, nameNodes, resourceManagers, history } = servicesOf(read());
    expect(fileSystem).toBe("hdfs://m1:8020");
    expect(nameNodes.map(({ base }) => base)).toEqual(["http://m1:9870"]);
    expect(resourceManagers.map(({ base }) => base)).toEqual(["http://m2:8088"]);
    expect(history.base).toBe("http://localhost:19888");
  });

  test("ApplicationMasters are behind a separate proxy, if there is one", () => {
    write("core-site.xml", CORE);
    expect(servicesOf(read()).proxy).toBeUndefined();
    write("yarn-site.xml", { "yarn.web-proxy.address": "m4:8089" });
    expect(servicesOf(read()).proxy).toMatchObject({ base: "http://m4:8089" });
  });

  test("there are two of each with high availability", () => {
    write("core-site.xml", { "fs.defaultFS": "hdfs://all" });
    write("hdfs-site.xml", {
      "dfs.ha.namenodes.all": "a, b",
      "dfs.namenode.http-address.all.a": "m1:9870",
      "dfs.namenode.http-address.all.b": "m2:9870",
    });
    write("yarn-site.xml", {
      "yarn.resourcemanager.ha.enabled": "true",
      "yarn.resourcemanager.ha.rm-ids": "x,y",
      "yarn.resourcemanager.hostname.x": "m1",
      "yarn.resourcemanager.webapp.address.y": "m2:80",
    });
    const { nameNodes, resourceManagers } = servicesOf(read());
    expect(nameNodes.map(({ base }) => base)).toEqual(["http://m1:9870", "http://m2:9870"]);
    expect(resourceManagers.map(({ base }) => base)).toEqual(["http://m1:8088", "http://m2:80"]);
  });

  test("use HTTPS where each http policy says so, also for nodes and logs", () => {
    write("core-site.xml", CORE);
    expect(servicesOf(read()).nodeScheme).toBe("http");
    write("hdfs-site.xml", { "dfs.http.policy": "HTTPS_ONLY" });
    write("mapred-site.xml", {
      "mapreduce.jobhistory.http.policy": "HTTPS_ONLY",
      "mapreduce.jobhistory.webapp.https.address": "m3:19890",
    });
    write("yarn-site.xml", {
      "yarn.http.policy": "HTTPS_ONLY",
      "yarn.resourcemanager.webapp.address": "m2:8088",
      "yarn.resourcemanager.webapp.https.address": "m2:1443",
    });
    const { nameNodes, resourceManagers, history, nodeScheme } = servicesOf(read());
    expect(nameNodes.map(({ base }) => base)).toEqual(["https://m1:9871"]);
    expect(resourceManagers.map(({ base }) => base)).toEqual(["https://m2:1443"]);
    expect(history.base).toBe("https://m3:19890");
    expect(nodeScheme).toBe("https");
  });

  test("a secured cluster and another file system are refused", () => {
    write("core-site.xml", { ...CORE, "hadoop.security.authentication": "kerberos" });
    expect(() => servicesOf(read())).toThrow("a secured cluster is not supported yet");
    write("core-site.xml", { "fs.defaultFS": "s3a://bucket" });
    expect(() => servicesOf(read())).toThrow("expected hdfs://HOST:PORT, found s3a://bucket");
  });
});

describe("a path on HDFS", () => {
  const root = { fileSystem: "hdfs://m1:8020", home: "/user/ann" };

  test.each([
    ["/in/../out", "/out"],
    ["in", "/user/ann/in"],
    ["hdfs:///in", "/in"],
    ["hdfs://m1:8020/in/a b", "/in/a b"],
    ["/in/*:1.txt", "/in/*:1.txt"],
  ])("%s", (text, path) => expect(hdfsPath(text, root)).toBe(path));

  test.each(["file:///in", "hdfs://m2:8020/in", "s3a://bucket/in", "hdfs:in"])(
    "%s is refused",
    (text) => expect(() => hdfsPath(text, root)).toThrow("expected a path on hdfs://m1:8020"),
  );
});
