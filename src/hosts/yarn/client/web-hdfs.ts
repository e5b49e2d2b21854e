import { createWriteStream } from "node:fs";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { InputError } from "../../../base/input-error.ts";
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
  /** Milliseconds since the epoch; of a file that is being written, when that began. */
  readonly modifiedAt: number;
  /** Its own for as long as it lives, by whatever path; 0 if the file system does not tell. */
  readonly id: number;
}

/** Where some of a file's bytes lie. */
export interface HdfsBlock {
  readonly start: number;
  readonly bytes: number;
  readonly hosts: readonly string[];
}

/** Who may look into a directory: all, as HDFS has it by default, or its owner alone. */
export type DirectoryMode = "755" | "700";

/** A range of bytes; without an end, to the file's. */
export interface HdfsRange {
  readonly start: number;
  readonly end?: number;
}

/** HDFS over REST, with simple authentication: https://hadoop.apache.org WebHDFS. */
export class WebHdfs {
  readonly #client: WebClient;
  readonly #nameNodes: NameNodes;

  /** Several NameNodes: one of them is active. */
  constructor(query: {
    readonly client: WebClient;
    readonly services: readonly HadoopService[];
  }) {
    this.#client = query.client;
    this.#nameNodes = new NameNodes(query.client, query.services);
  }

  /** Undefined if there is none. */
  async find(path: string): Promise<HdfsEntry | undefined> {
    const answer = await this.#json("GET", path, "GETFILESTATUS");
    return answer === undefined ? undefined : entryOf(answer.part("FileStatus"), path);
  }

  /** What is in a directory, by name; empty if it is none. */
  async list(path: string): Promise<readonly HdfsEntry[]> {
    const answer = await this.#json("GET", path, "LISTSTATUS");
    if (answer === undefined) return [];
    return (
      answer
        .part("FileStatuses")
        .items("FileStatus")
        .map((status) => ({ status, name: status.text("pathSuffix") }))
        // A file is answered with itself, without a name.
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

  /** The same, one piece after the other: no more is held than one of them. */
  async *pieces(path: string, { start, end }: Required<HdfsRange>): AsyncIterable<Buffer> {
    for (let from = start; from < end; from += PIECE_BYTES) {
      yield await this.read(path, { start: from, end: Math.min(end, from + PIECE_BYTES) });
    }
  }

  /** Copies a file, however large, to one of this machine. */
  async fetch(path: string, to: string): Promise<void> {
    const found = await this.find(path);
    if (found === undefined) throw gone(path);
    await pipeline(this.pieces(path, { start: 0, end: found.bytes }), createWriteStream(to));
  }

  /** Makes a file, and the directories above it. */
  async write(path: string, content: () => Uint8Array | Readable): Promise<void> {
    const first = await this.#ask("PUT", path, "CREATE&overwrite=true");
    // Before the content is opened, which would stay open.
    if (first.location === undefined) throw this.#refused(path, first);
    const answer = await this.#follow(first, "PUT", content());
    if (answer.status !== 201) throw this.#refused(path, answer);
  }

  /** With those above it that are missing; nothing happens if it is there. */
  async makeDirectory(path: string, mode: DirectoryMode = "755"): Promise<void> {
    await this.#json("PUT", path, `MKDIRS&permission=${mode}`);
  }

  /**
   * False if there is nothing to rename, or something else in its place: that is neither replaced
   * nor, being a directory, moved into. True if it lies there now, also where the answer was lost.
   */
  async rename(from: string, to: string): Promise<boolean> {
    const moved = await this.find(from);
    if (moved === undefined) return false;
    let refused: unknown;
    try {
      // Without options HDFS moves into a directory that is there, and answers that all is well.
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

  /** With all that is in it; nothing happens if it is not there. */
  async remove(path: string): Promise<void> {
    await this.#json("DELETE", path, "DELETE&recursive=true");
  }

  /** Undefined: there is no such file. */
  async #json(method: WebRequest["method"], path: string, operation: string) {
    const answer = await this.#ask(method, path, operation);
    if (answer.status === 404) return undefined;
    if (answer.status !== 200) throw this.#refused(path, answer);
    const text = answer.body.toString();
    return new JsonAnswer(text === "" ? {} : JSON.parse(text), operation);
  }

  #ask(method: WebRequest["method"], path: string, operation: string): Promise<WebAnswer> {
    return this.#nameNodes.ask(method, `/webhdfs/v1${encoded(path)}?op=${operation}`);
  }

  /** To the node that has the data, or takes it. */
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
    const said = messageOf(body.toString()) ?? `status ${status}`;
    return new InputError("no-cluster", `hdfs ${path}`, `as ${this.#client.user}: ${said}`);
  }
}

const PIECE_BYTES = 16 * 1024 * 1024;

/** The first line of what the service threw. */
function messageOf(text: string): string | undefined {
  try {
    const { RemoteException: thrown } = JSON.parse(text);
    return `${thrown.exception}: ${String(thrown.message).split("\n", 1)[0]}`;
  } catch {
    return undefined;
  }
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
