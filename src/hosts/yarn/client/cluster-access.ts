import { userInfo } from "node:os";
import { InputError } from "../../../base/input-error.ts";
import { HadoopConf } from "./hadoop-conf.ts";
import type { HdfsRoot } from "./hdfs-path.ts";
import { hostLookup } from "./host-names.ts";
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
