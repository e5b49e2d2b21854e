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
  /** Any other URL is that of a file. */
  | { readonly kind: "file" };

export const isUrl = (path: string): boolean => /^https?:\/\//i.test(path);

const HADOOP = /^(.*)\/(?:ws\/v1\/history\/mapreduce\/jobs|jobhistory\/[a-z]+)\/(job_\d+_\d+)/;
const SPARK = /^(.*)\/(?:history|api\/v1\/applications)\/([^/]+)(?:\/(\d+))?(?:\/|$)/;

/** By the URL's path, as a browser shows it or as the REST interface has it. */
export function addressOf(url: string): Address {
  if (!URL.canParse(url)) throw new InputError("bad-input", url, "expected a URL");
  const { origin, pathname } = new URL(url);
  const [, before = "", job] = HADOOP.exec(pathname) ?? [];
  if (job !== undefined) return { kind: "hadoop", base: origin + before, job };
  const [, prefix = "", application, attempt] = SPARK.exec(pathname) ?? [];
  if (application !== undefined) {
    const base = origin + prefix;
    return { kind: "spark", base, application, ...(attempt !== undefined && { attempt }) };
  }
  if (/^\/(?:jobhistory|history)?\/?$/.test(pathname)) {
    const examples = `${origin}/jobhistory/job/job_1_0001 or ${origin}/history/app-1`;
    throw new InputError("bad-input", url, `expected the URL of one job, such as ${examples}`);
  }
  return { kind: "file" };
}
