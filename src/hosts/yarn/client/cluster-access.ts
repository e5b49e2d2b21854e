import { lookup as systemLookup } from "node:dns";
import { readFileSync } from "node:fs";
import type { LookupFunction } from "node:net";
import { userInfo } from "node:os";
import { InputError } from "../../../base/input-error.ts";
import { HadoopConf } from "./hadoop-conf.ts";
import type { HdfsRoot } from "./hdfs-path.ts";
import { servicesOf } from "./services.ts";
import { NoAnswer, WebClient } from "./web-client.ts";
import { WebHdfs } from "./web-hdfs.ts";
import { YarnRest } from "./yarn-rest.ts";

/** A reachable Hadoop cluster. */
export interface ClusterAccess {
  readonly conf: HadoopConf;
  readonly hdfs: WebHdfs;
  readonly rest: YarnRest;
  readonly root: HdfsRoot;
  readonly user: string;
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * InputError if there is no configuration, if this kind of cluster is not supported, or if one of
 * its services is not where the configuration says.
 */
export async function reachCluster(
  hadoopConf: string | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<ClusterAccess> {
  const directory = hadoopConf ?? environment.HADOOP_CONF_DIR;
  if (directory === undefined || directory === "") {
    const expected = "expected a directory by --hadoop-conf, or HADOOP_CONF_DIR in the environment";
    throw new InputError("bad-flag", "hadoop configuration", expected);
  }
  const conf = HadoopConf.read(directory, environment);
  const services = servicesOf(conf);
  const user = environment.HADOOP_USER_NAME || userInfo().username;
  const client = new WebClient(hostLookup(environment), user);
  const { resourceManagers: managers, history, nodeScheme, proxy } = services;
  const rest = new YarnRest({ client, managers, history, nodeScheme, proxy });
  const hdfs = new WebHdfs({ client, services: services.nameNodes });
  const { fileSystem } = services;
  const home = `${conf.text("dfs.user.home.dir.prefix", "/user")}/${user}`;
  const access = { conf, hdfs, rest, root: { fileSystem, home }, user, environment };
  await Promise.all([rest.version(), hdfs.find("/")]).catch((error: unknown) => {
    if (!(error instanceof NoAnswer)) throw error;
    throw new InputError("no-cluster", conf.directory, error.message);
  });
  return access;
}

/**
 * Resolves the names of the cluster's hosts as Java does: from a file instead of the system where
 * `JDK_JAVA_OPTIONS` has `-Djdk.net.hosts.file=FILE`.
 */
function hostLookup(environment: NodeJS.ProcessEnv): LookupFunction {
  const [, file] =
    /(?:^|\s)-Djdk\.net\.hosts\.file=(\S+)/.exec(environment.JDK_JAVA_OPTIONS ?? "") ?? [];
  if (file === undefined) return systemLookup;
  const addresses = readHosts(file);
  return (name, options, callback) => {
    const address = addresses.get(name);
    if (address === undefined) systemLookup(name, options, callback);
    else if (options.all) callback(null, [{ address, family: familyOf(address) }]);
    else callback(null, address, familyOf(address));
  };
}

const familyOf = (address: string): number => (address.includes(":") ? 6 : 4);

/** Lines such as `127.0.0.1 name other-name # remark`; the first address of a name counts. */
function readHosts(file: string): ReadonlyMap<string, string> {
  const addresses = new Map<string, string>();
  for (const line of textOf(file).split("\n")) {
    const [address, ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    for (const name of names) {
      if (address !== undefined && !addresses.has(name)) addresses.set(name, address);
    }
  }
  return addresses;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    const place = "-Djdk.net.hosts.file of JDK_JAVA_OPTIONS";
    throw new InputError("missing-file", place, `expected a file of host names, found ${file}`);
  }
}
