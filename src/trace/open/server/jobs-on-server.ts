import { InputError } from "../../../base/input-error.ts";
import { isObject, type JsonObject } from "../../../base/json.ts";
import { objectIn, objectsIn, textIn } from "../../json-values.ts";
import type { ServerList } from "./address.ts";
import { type AskOptions, askForJson, askForList } from "./ask.ts";
import { eachIn } from "./hadoop-server.ts";

/** A history on a server's list. */
export interface ServedHistory {
  /** As a browser shows it. */
  readonly url: string;
  /** What the list says of it: it differs if the history has changed. */
  readonly version: string;
}

/** The histories of a server, as it lists them. InputError if it is none, or has none. */
export async function historiesOnServer(
  list: ServerList,
  options: AskOptions = {},
): Promise<readonly ServedHistory[]> {
  const found = await LISTED[list.system](list, options);
  if (found.length > 0) return found;
  const which = list.search === "" ? "" : ` that fit ${list.search}`;
  throw new InputError("bad-input", list.base, `expected jobs, the server lists none${which}`);
}

type ListHistories = (list: ServerList, options: AskOptions) => Promise<readonly ServedHistory[]>;

const ofSpark: ListHistories = async ({ base, search }, options) => {
  const all = await askForList(`${base}/api/v1/applications${search}`, options);
  return all.filter(isObject).flatMap((application): ServedHistory[] => {
    const id = textIn(application, "id");
    if (id === undefined) return [];
    return objectsIn(application, "attempts").map((attempt) => {
      const number = textIn(attempt, "attemptId");
      const url = `${base}/history/${id}${number === undefined ? "" : `/${number}`}`;
      return { url, version: versionOf(attempt, ["endTime", "lastUpdated", "completed"]) };
    });
  });
};

const ofHadoop: ListHistories = async ({ base, search }, options) => {
  const url = `${base}/ws/v1/history/mapreduce/jobs${search}`;
  const answer = await askForJson(url, options);
  if (answer.jobs === undefined) {
    throw new InputError("bad-input", url, "expected the jobs of a JobHistoryServer");
  }
  return eachIn(objectIn(answer, "jobs"), "job").flatMap((job): ServedHistory[] => {
    const id = textIn(job, "id");
    if (id === undefined) return [];
    const version = versionOf(job, ["submitTime", "finishTime", "state"]);
    return [{ url: `${base}/jobhistory/job/${id}`, version }];
  });
};

/** A server that is no one's of the first kind may be one of the second. */
const ofEither: ListHistories = async (list, options) => {
  const refusals: string[] = [];
  for (const listed of [ofSpark, ofHadoop]) {
    try {
      return await listed(list, options);
    } catch (error) {
      if (!(error instanceof InputError) || error.code === "no-answer") throw error;
      refusals.push(error.message);
    }
  }
  const expected = `expected a history server of Spark or Hadoop; ${refusals.join("; ")}`;
  throw new InputError("bad-input", list.base, expected);
};

const LISTED: Readonly<Record<ServerList["system"], ListHistories>> = {
  spark: ofSpark,
  hadoop: ofHadoop,
  unknown: ofEither,
};

const versionOf = (from: JsonObject, keys: readonly string[]): string =>
  JSON.stringify(keys.map((key) => from[key]));
