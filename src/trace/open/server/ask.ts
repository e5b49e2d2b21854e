import { InputError } from "../../../base/input-error.ts";
import { isList, isObject, type Json, type JsonObject, parseJson } from "../../../base/json.ts";
import { answerOf, TEXT_LIMITS, textOfAnswer } from "./answer.ts";

export interface AskOptions {
  /** Progress in bytes that the server sent. */
  readonly onStored?: ((bytes: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const ANSWER_WITHIN_MS = 60_000;

/** The answer to a GET. Throws an InputError if none comes, or another status than 200. */
export async function ask(url: string, accept: string, options: AskOptions): Promise<Response> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), ANSWER_WITHIN_MS);
  const signals = [silence.signal, ...(options.signal === undefined ? [] : [options.signal])];
  let response: Response;
  try {
    response = await fetch(url, { headers: { accept }, signal: AbortSignal.any(signals) });
  } catch (error) {
    options.signal?.throwIfAborted();
    throw new InputError("no-answer", url, `no answer: ${causeOf(error, silence.signal)}`);
  } finally {
    clearTimeout(timer);
  }
  if (response.status === 200) return response;
  const said = messageIn(await beginningOf(url, response));
  const expected = `the server answers ${response.status} ${response.statusText}`.trimEnd();
  const why = [...(said === "" ? [] : [said]), ...wantedBy(response)].join("; ");
  throw new InputError("bad-input", url, why === "" ? expected : `${expected}: ${why}`);
}

/** What a server asks for that refuses a request without a name. */
function wantedBy({ status, headers }: Response): readonly string[] {
  if (status !== 401) return [];
  const isKerberos = /negotiate/i.test(headers.get("www-authenticate") ?? "");
  const means = isKerberos ? "a Kerberos ticket" : "a name and a password";
  return [`it asks for ${means}, which Broomwagon does not send; download the log and read that`];
}

/** The JSON object that answers a GET. */
export async function askForJson(url: string, options: AskOptions): Promise<JsonObject> {
  const value = await valueAt(url, options);
  return isObject(value) ? value : refuse(url);
}

/** The JSON list that answers a GET. */
export async function askForList(url: string, options: AskOptions): Promise<readonly Json[]> {
  const value = await valueAt(url, options);
  return isList(value) ? value : refuse(url);
}

async function valueAt(url: string, options: AskOptions): Promise<Json> {
  const response = await ask(url, "application/json", options);
  const text = await textOfAnswer(url, response);
  options.onStored?.(text.length);
  const parsed = parseJson(text);
  if (parsed.ok) return parsed.value;
  const isPage = text.trimStart().startsWith("<");
  return refuse(url, isPage ? ", found a page, perhaps that of a log-in" : "");
}

function refuse(url: string, found = ""): never {
  throw new InputError("bad-input", url, `expected JSON of a history server${found}`);
}

/** An error may be answered with a page of any length. */
async function beginningOf(url: string, { body }: Response): Promise<string> {
  if (body === null) return "";
  for await (const part of answerOf(url, body, TEXT_LIMITS)) {
    return Buffer.from(part.subarray(0, 16_384)).toString("utf8");
  }
  return "";
}

function causeOf(error: unknown, silence: AbortSignal): string {
  if (silence.aborted) return `the server is silent for ${ANSWER_WITHIN_MS / 1_000} s`;
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error && cause.message !== "" ? cause.message : String(cause);
}

const SAID_MAX = 200;

/** Hadoop answers errors as JSON, Spark as plain text; a page of HTML says nothing. */
function messageIn(body: string): string {
  if (body.trimStart().startsWith("<")) return "";
  const [, quoted] = /"message"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(body) ?? [];
  return (quoted ?? body).replace(/\s+/g, " ").trim().slice(0, SAID_MAX);
}
