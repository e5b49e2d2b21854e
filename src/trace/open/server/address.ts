import { InputError } from "../../../base/input-error.ts";

/** What a URL names, on a server that keeps histories. */
export type Address =
  /** A job on a JobHistoryServer of Hadoop; `base`: the URL before `/ws/v1` or `/jobhistory`. */
  | { readonly kind: "hadoop"; readonly base: string; readonly job: string }
  /** An application on a history server of Spark; `attempt`: its number under YARN. */
  | {
      readonly kind: "spark";
      readonly base: string;
      readonly application: string;
      readonly attempt?: string;
    }
  /** The list of all jobs of a server. */
  | ServerList
  /** Any other URL is that of a file. */
  | { readonly kind: "file" };

export interface ServerList {
  readonly kind: "list";
  readonly base: string;
  /** Unknown of a URL without a path. */
  readonly system: "hadoop" | "spark" | "unknown";
  /** Parameters that choose among the jobs, such as `?limit=100`, in the server's own words. */
  readonly search: string;
}

export const isUrl = (path: string): boolean => /^https?:\/\//i.test(path);

const HADOOP = /^(.*)\/(?:ws\/v1\/history\/mapreduce\/jobs|jobhistory\/[a-z]+)\/(job_\d+_\d+)/;
const SPARK = /^(.*)\/(?:history|api\/v1\/applications)\/([^/]+)(?:\/(\d+))?(?:\/|$)/;
const HADOOP_LIST =
  /^(.*)\/(?:ws\/v1\/history(?:\/mapreduce(?:\/jobs)?)?|jobhistory(?:\/app)?)\/?$/;
const SPARK_LIST = /^(.*)\/(?:api\/v1(?:\/applications)?|history)\/?$/;

/** By the URL's path, as a browser shows it or as the REST interface has it. */
export function addressOf(url: string): Address {
  if (!URL.canParse(url)) throw new InputError("bad-input", url, "expected a URL");
  const { origin, pathname, search } = new URL(url);
  const [, before = "", job] = HADOOP.exec(pathname) ?? [];
  if (job !== undefined) return { kind: "hadoop", base: origin + before, job };
  const [, above] = HADOOP_LIST.exec(pathname) ?? [];
  if (above !== undefined) return { kind: "list", base: origin + above, system: "hadoop", search };
  const [, prefix = "", application, attempt] = SPARK.exec(pathname) ?? [];
  if (application !== undefined) {
    const base = origin + prefix;
    return { kind: "spark", base, application, ...(attempt !== undefined && { attempt }) };
  }
  const [, over] = SPARK_LIST.exec(pathname) ?? [];
  if (over !== undefined) return { kind: "list", base: origin + over, system: "spark", search };
  const isRoot = pathname === "/";
  return isRoot ? { kind: "list", base: origin, system: "unknown", search } : { kind: "file" };
}

/** Undefined if a path is no URL, or that of one history. */
export function serverListAt(path: string): ServerList | undefined {
  if (!isUrl(path) || !URL.canParse(path)) return undefined;
  const address = addressOf(path);
  return address.kind === "list" ? address : undefined;
}
