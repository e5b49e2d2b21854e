import { createWriteStream } from "node:fs";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { InputError } from "../../../base/input-error.ts";
import { parseJson } from "../../../base/json.ts";
import { JsonAnswer } from "./json-answer.ts";
import { NameNodes } from "./name-nodes.ts";
import {
  type HadoopService,
  NoAnswer,
  type WebAnswer,
  type WebClient,
  type WebRequest,
} from "./web-client.ts";

/** A file or directory of HDFS. */
export interface HdfsEntry {
  /** Absolute, without the file system's name. */
  readonly path: string;
  readonly isDirectory: boolean;
  readonly bytes: number;
  /** Milliseconds since the epoch; for a file being written, the time at which the write began. */
  readonly modifiedAt: number;
  /** The file's number for as long as it exists, under any path; 0 if the file system has none. */
  readonly id: number;
}

/** The hosts of a range of a file's bytes. */
export interface HdfsBlock {
  readonly start: number;
  readonly bytes: number;
  readonly hosts: readonly string[];
}

/** Who may read a directory: everybody, as by HDFS's default, or its owner alone. */
export type DirectoryMode = "755" | "700";

/** A range of bytes; without `end`, up to the file's end. */
export interface HdfsRange {
  readonly start: number;
  readonly end?: number;
}

/** HDFS over REST, with simple authentication: https://hadoop.apache.org WebHDFS. */
export class WebHdfs {
  readonly #client: WebClient;
  readonly #nameNodes: NameNodes;

  /** Where there are several NameNodes, one of them is active. */
  constructor(query: {
    readonly client: WebClient;
    readonly services: readonly HadoopService[];
  }) {
    this.#client = query.client;
    this.#nameNodes = new NameNodes(query.client, query.services);
  }

  /** Undefined if the path does not exist. */
  async find(path: string): Promise<HdfsEntry | undefined> {
    const answer = await this.#json("GET", path, "GETFILESTATUS");
    return answer === undefined ? undefined : entryOf(answer.part("FileStatus"), path);
  }

  /** The entries of a directory, by name; empty if the path is not a directory. */
  async list(path: string): Promise<readonly HdfsEntry[]> {
    const answer = await this.#json("GET", path, "LISTSTATUS");
    if (answer === undefined) return [];
    return (
      answer
        .part("FileStatuses")
        .items("FileStatus")
        .map((status) => ({ status, name: status.text("pathSuffix") }))
        // HDFS lists a file as itself, without a name.
        .filter(({ name }) => name !== "")
        .map(({ status, name }) => entryOf(status, joined(path, name)))
    );
  }

  async blocks(path: string): Promise<readonly HdfsBlock[]> {
    const answer = await this.#json("GET", path, "GETFILEBLOCKLOCATIONS");
    if (answer === undefined) throw gone(path);
    return answer
      .part("BlockLocations")
      .items("BlockLocation")
      .map((block) => ({
        start: block.number("offset"),
        bytes: block.number("length"),
        hosts: block.texts("hosts"),
      }));
  }

  /** The bytes of a file. */
  async read(path: string, { start, end }: HdfsRange = { start: 0 }): Promise<Buffer> {
    const length = end === undefined ? "" : `&length=${end - start}`;
    if (end === start) return Buffer.alloc(0);
    const answer = await this.#ask("GET", path, `OPEN&offset=${start}${length}`);
    if (answer.status === 404) throw gone(path);
    const { status, body } = await this.#follow(answer, "GET", undefined);
    if (status !== 200) throw this.#refused(path, { status, body });
    return body;
  }

  /** Reads the range in pieces, so that only one piece is in memory. */
  async *pieces(path: string, { start, end }: Required<HdfsRange>): AsyncIterable<Buffer> {
    for (let from = start; from < end; from += PIECE_BYTES) {
      yield await this.read(path, { start: from, end: Math.min(end, from + PIECE_BYTES) });
    }
  }

  /** Copies a file of any size to this machine. */
  async fetch(path: string, to: string): Promise<void> {
    const found = await this.find(path);
    if (found === undefined) throw gone(path);
    await pipeline(this.pieces(path, { start: 0, end: found.bytes }), createWriteStream(to));
  }

  /** Writes a file, and makes the directories above it. */
  async write(path: string, content: () => Uint8Array | Readable): Promise<void> {
    const first = await this.#ask("PUT", path, "CREATE&overwrite=true");
    // Checked before the content is opened, since it would stay open.
    if (first.location === undefined) throw this.#refused(path, first);
    const answer = await this.#follow(first, "PUT", content());
    if (answer.status !== 201) throw this.#refused(path, answer);
  }

  /** Makes a directory and its missing parents; an existing one is no error. */
  async makeDirectory(path: string, mode: DirectoryMode = "755"): Promise<void> {
    await this.#json("PUT", path, `MKDIRS&permission=${mode}`);
  }

  /**
   * Renames without replacing. False if `from` does not exist or something else is at `to`, which
   * is neither replaced nor moved into. True if the entry is now at `to`, even if the answer was
   * lost.
   */
  async rename(from: string, to: string): Promise<boolean> {
    const moved = await this.find(from);
    if (moved === undefined) return false;
    let refused: unknown;
    try {
      // Without options HDFS moves the entry into an existing directory and reports success.
      const options = `renameoptions=NONE&destination=${encodeURIComponent(to)}`;
      const answer = await this.#ask("PUT", from, `RENAME&${options}`);
      if (answer.status === 200) return true;
      refused = this.#refused(from, answer);
    } catch (error) {
      refused = error;
    }
    const found = await this.find(to);
    if (found === undefined) throw refused;
    return found.id === moved.id && found.id !== 0;
  }

  /** Removes the path with all that it contains; a missing path is no error. */
  async remove(path: string): Promise<void> {
    await this.#json("DELETE", path, "DELETE&recursive=true");
  }

  /** Undefined if there is no such file. */
  async #json(method: WebRequest["method"], path: string, operation: string) {
    const answer = await this.#ask(method, path, operation);
    if (answer.status === 404) return undefined;
    if (answer.status !== 200) throw this.#refused(path, answer);
    const parsed = parseJson(answer.body.toString() || "{}");
    if (!parsed.ok) throw new InputError("no-cluster", `hdfs ${path}`, parsed.problem);
    return new JsonAnswer(parsed.value, operation);
  }

  #ask(method: WebRequest["method"], path: string, operation: string): Promise<WebAnswer> {
    return this.#nameNodes.ask(method, `/webhdfs/v1${encoded(path)}?op=${operation}`);
  }

  /** Follows the redirect to the node that has or takes the data. */
  async #follow(
    answer: WebAnswer,
    method: WebRequest["method"],
    body: Uint8Array | Readable | undefined,
  ): Promise<WebAnswer> {
    const { location } = answer;
    if (location === undefined) return answer;
    const { host } = new URL(location);
    try {
      const type = "application/octet-stream";
      return await this.#client.ask({ method, url: location, body, type });
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      const expected = `expected a DataNode there, as the NameNode said: ${error.message}`;
      throw new InputError("no-cluster", host, expected);
    }
  }

  #refused(path: string, { status, body }: Pick<WebAnswer, "status" | "body">): InputError {
    const reason = messageOf(body.toString()) ?? `status ${status}`;
    return new InputError("no-cluster", `hdfs ${path}`, `as ${this.#client.user}: ${reason}`);
  }
}

const PIECE_BYTES = 16 * 1024 * 1024;

/** The first line of the service's exception. */
function messageOf(text: string): string | undefined {
  const parsed = parseJson(text);
  if (!parsed.ok) return undefined;
  const thrown = new JsonAnswer(parsed.value, "answer").part("RemoteException");
  const name = thrown.text("exception");
  return name === "" ? undefined : `${name}: ${thrown.text("message").split("\n", 1)[0]}`;
}

const gone = (path: string): InputError =>
  new InputError("missing-file", `hdfs ${path}`, "this file is gone");

const joined = (path: string, name: string): string =>
  path.endsWith("/") ? `${path}${name}` : `${path}/${name}`;

const encoded = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

const entryOf = (status: JsonAnswer, path: string): HdfsEntry => ({
  path,
  isDirectory: status.text("type") === "DIRECTORY",
  bytes: status.number("length"),
  modifiedAt: status.number("modificationTime"),
  id: status.number("fileId"),
});
