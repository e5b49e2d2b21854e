import { InputError } from "../../../base/input-error.ts";
import type { HadoopConf, Property } from "./hadoop-conf.ts";
import type { HadoopService } from "./web-client.ts";

/** The addresses of the cluster's services, from its configuration. */
export interface Services {
  /** The default file system of paths, for instance `hdfs://m1:8020`. */
  readonly fileSystem: string;
  /** Several if the file system has a logical name for them; one of them is active. */
  readonly nameNodes: readonly HadoopService[];
  /** Several if the configuration names several; one of them is active. */
  readonly resourceManagers: readonly HadoopService[];
  readonly history: HadoopService;
  /** The proxy of ApplicationMasters, where it is separate from the ResourceManager. */
  readonly proxy: HadoopService | undefined;
  /** The scheme of the NodeManagers' pages; their own addresses lack it. */
  readonly nodeScheme: "http" | "https";
}

/** InputError for an unsupported kind of cluster. */
export function servicesOf(conf: HadoopConf): Services {
  refuseSecured(conf);
  const fileSystem = conf.get("fs.defaultFS", "file:///");
  const [, authority] = /^hdfs:\/\/([^/]+)\/?$/.exec(fileSystem.value) ?? [];
  if (authority === undefined) {
    const expected = `expected hdfs://HOST:PORT, found ${fileSystem.value}`;
    throw new InputError("no-cluster", fileSystem.from, expected);
  }
  return {
    fileSystem: `hdfs://${authority}`,
    nameNodes: nameNodesOf(conf, authority),
    resourceManagers: resourceManagersOf(conf),
    history: historyOf(conf),
    proxy: proxyOf(conf),
    nodeScheme: isYarnSecured(conf) ? "https" : "http",
  };
}

function refuseSecured(conf: HadoopConf): void {
  const authentication = conf.get("hadoop.security.authentication", "simple");
  if (authentication.value.toLowerCase() === "simple") return;
  const expected = "expected simple authentication: a secured cluster is not supported yet";
  throw new InputError(
    "no-cluster",
    authentication.from,
    `${expected}, found ${authentication.value}`,
  );
}

/** A NameNode for each configured name of the file system's host, or the only one. */
function nameNodesOf(conf: HadoopConf, authority: string): readonly HadoopService[] {
  const secured = conf.text("dfs.http.policy", "HTTP_ONLY") === "HTTPS_ONLY";
  const [host = ""] = authority.split(":");
  const names = listed(conf.find(`dfs.ha.namenodes.${host}`));
  const key = secured ? "dfs.namenode.https-address" : "dfs.namenode.http-address";
  const port = secured ? 9871 : 9870;
  const keys = names.length === 0 ? [key] : names.map((name) => `${key}.${host}.${name}`);
  return keys.map((each) =>
    service("the NameNode", conf.get(each, `0.0.0.0:${port}`), host, secured),
  );
}

const isYarnSecured = (conf: HadoopConf): boolean =>
  conf.text("yarn.http.policy", "HTTP_ONLY") === "HTTPS_ONLY";

function resourceManagersOf(conf: HadoopConf): readonly HadoopService[] {
  const secured = isYarnSecured(conf);
  const key = `yarn.resourcemanager.webapp${secured ? ".https" : ""}.address`;
  const port = secured ? 8090 : 8088;
  const isMany = conf.text("yarn.resourcemanager.ha.enabled", "false") === "true";
  const names = isMany ? listed(conf.find("yarn.resourcemanager.ha.rm-ids")) : [];
  const endings = names.length === 0 ? [""] : names.map((name) => `.${name}`);
  return endings.map((ending) => {
    const host = conf.get(`yarn.resourcemanager.hostname${ending}`, "0.0.0.0");
    const address = conf.find(`${key}${ending}`) ?? { ...host, value: `${host.value}:${port}` };
    return service("the ResourceManager", address, host.value, secured);
  });
}

function proxyOf(conf: HadoopConf): HadoopService | undefined {
  const address = conf.find("yarn.web-proxy.address");
  if (address === undefined || address.value === "") return undefined;
  const host = conf.text("yarn.resourcemanager.hostname", "0.0.0.0");
  return service("the web application proxy", address, host, isYarnSecured(conf));
}

function historyOf(conf: HadoopConf): HadoopService {
  const secured = conf.text("mapreduce.jobhistory.http.policy", "HTTP_ONLY") === "HTTPS_ONLY";
  const key = `mapreduce.jobhistory.webapp${secured ? ".https" : ""}.address`;
  const address = conf.get(key, `0.0.0.0:${secured ? 19890 : 19888}`);
  return service("the job history server", address, "localhost", secured);
}

/** An address that stands for all interfaces of a host is replaced by the host's own. */
function service(
  what: string,
  { value, from }: Property,
  host: string,
  secured: boolean,
): HadoopService {
  const address = value.replace(/^0\.0\.0\.0/, host === "0.0.0.0" ? "localhost" : host);
  return { what, base: `${secured ? "https" : "http"}://${address}`, from };
}

const listed = (property: Property | undefined): readonly string[] =>
  (property?.value ?? "").split(",").flatMap((name) => name.trim() || []);
