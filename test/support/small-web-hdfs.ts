import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { posix } from "node:path";
import type { HadoopService } from "../../src/hosts/yarn/client/web-client.ts";

/** A file's bytes; a directory has none. */
interface Inode {
  readonly id: number;
  readonly modifiedAt: number;
  readonly content: Buffer | undefined;
  /** Of a directory. */
  readonly permission?: string | undefined;
}

interface Reply {
  readonly status: number;
  readonly body?: object | Buffer;
  readonly headers?: { readonly location: string };
  /** Done, but without an answer. */
  readonly isLost?: boolean;
}

/** The outcome of one request: it succeeds, its answer is lost, or it is refused. */
export type Fate = "well" | "answer-lost" | "refused";

/** A name tree in memory behind the part of WebHDFS that clients use, answering as documented. */
export class SmallWebHdfs {
  /** Called before a rename or a removal, and when an upload begins. */
  fate: (operation: "RENAME" | "DELETE" | "CREATE", from: string, to: string) => Fate = () =>
    "well";
  readonly #inodes = new Map<string, Inode>([
    ["/", { id: 16_385, modifiedAt: Date.now(), content: undefined }],
  ]);
  #lastId = 16_385;
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  async start(): Promise<HadoopService> {
    await new Promise<void>((done) => this.#server.listen(0, "127.0.0.1", done));
    return { what: "the NameNode", base: this.#base, from: "the test" };
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** A file, with the directories above it. */
  put(path: string, content: string | Buffer, modifiedAt = Date.now()): void {
    this.makeDirectory(posix.dirname(path));
    this.#inodes.set(path, { id: ++this.#lastId, modifiedAt, content: Buffer.from(content) });
  }

  /** Missing parents also get its permission, as in HDFS. */
  makeDirectory(path: string, { permission = "755", modifiedAt = Date.now() } = {}): void {
    if (this.#inodes.has(path)) return;
    this.makeDirectory(posix.dirname(path), { permission, modifiedAt });
    this.#inodes.set(path, { id: ++this.#lastId, modifiedAt, content: undefined, permission });
  }

  /** The permissions of the directories below one, by path. */
  permissions(below: string): Readonly<Record<string, string>> {
    const all = [...this.#inodes].filter(([path]) => path.startsWith(`${below}/`)).sort();
    return Object.fromEntries(
      all.flatMap(([path, { permission }]) =>
        permission === undefined ? [] : [[path, permission]],
      ),
    );
  }

  /** By path, all files below a directory. */
  files(below: string): Readonly<Record<string, string>> {
    const all = [...this.#inodes].filter(([path]) => path.startsWith(`${below}/`)).sort();
    return Object.fromEntries(
      all.flatMap(([path, { content }]) =>
        content === undefined ? [] : [[path, content.toString("latin1")] as const],
      ),
    );
  }

  move(from: string, to: string): void {
    for (const [path, inode] of [...this.#inodes]) {
      if (path !== from && !path.startsWith(`${from}/`)) continue;
      this.#inodes.delete(path);
      this.#inodes.set(`${to}${path.slice(from.length)}`, inode);
    }
  }

  get #base(): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("it is not started");
    return `http://127.0.0.1:${address.port}`;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "", this.#base);
    const upload = uploadOf(url);
    const fate = upload === undefined ? "well" : this.#begin(upload);
    const content = await received(request);
    if (upload !== undefined && fate !== "refused" && this.#inodes.has(upload)) {
      this.put(upload, content);
    }
    const { status, body, isLost, headers } =
      upload === undefined ? this.#reply(url) : uploaded(fate);
    if (isLost) response.destroy();
    else if (Buffer.isBuffer(body)) response.writeHead(status, headers).end(body);
    else response.writeHead(status, headers).end(body && JSON.stringify(body));
  }

  /** The file exists from then on, even if the upload is not complete. */
  #begin(path: string): Fate {
    const fate = this.fate("CREATE", path, "");
    if (fate !== "refused") this.put(path, "");
    return fate;
  }

  #reply(url: URL): Reply {
    const { searchParams, href } = url;
    const path = pathOf(url);
    const inode = this.#inodes.get(path);
    const operation = searchParams.get("op");
    switch (operation) {
      case "GETFILESTATUS":
        if (inode === undefined) return refusal(404, "FileNotFoundException");
        return { status: 200, body: { FileStatus: statusOf(inode, "") } };
      case "LISTSTATUS": {
        if (inode === undefined) return refusal(404, "FileNotFoundException");
        if (inode.content !== undefined) {
          return { status: 200, body: { FileStatuses: { FileStatus: [statusOf(inode, "")] } } };
        }
        const all = [...this.#inodes].filter(([each]) => posix.dirname(each) === path).sort();
        const below = all.filter(([each]) => each !== path);
        const FileStatus = below.map(([each, one]) => statusOf(one, posix.basename(each)));
        return { status: 200, body: { FileStatuses: { FileStatus } } };
      }
      case "OPEN": {
        const start = Number(searchParams.get("offset"));
        const length = Number(searchParams.get("length") ?? Number.POSITIVE_INFINITY);
        if (inode?.content === undefined) return refusal(404, "FileNotFoundException");
        return { status: 200, body: inode.content.subarray(start, start + length) };
      }
      case "MKDIRS":
        this.makeDirectory(path, { permission: searchParams.get("permission") ?? "755" });
        return { status: 200, body: { boolean: true } };
      case "CREATE":
        return { status: 307, headers: { location: `${href}&datanode=true` } };
      case "RENAME":
      case "DELETE": {
        const to = searchParams.get("destination") ?? "";
        const fate = this.fate(operation, path, to);
        if (fate === "refused") return refusal(403, "AccessControlException");
        const hasOptions = searchParams.get("renameoptions") === "NONE";
        const reply =
          operation === "DELETE"
            ? { status: 200, body: { boolean: this.#delete(path) } }
            : hasOptions
              ? this.#renameStrictly(path, to)
              : this.#renameInto(path, to);
        return { ...reply, isLost: fate === "answer-lost" };
      }
      default:
        return refusal(400, "UnsupportedOperationException");
    }
  }

  #delete(path: string): boolean {
    const all = [...this.#inodes.keys()].filter(
      (each) => each === path || each.startsWith(`${path}/`),
    );
    for (const each of all) this.#inodes.delete(each);
    return all.length > 0;
  }

  /** As with options: an existing target is an error. */
  #renameStrictly(from: string, to: string): Reply {
    const isMissing = !this.#inodes.has(from) || !this.#inodes.has(posix.dirname(to));
    if (isMissing) return refusal(404, "FileNotFoundException");
    if (this.#inodes.has(to)) return refusal(403, "FileAlreadyExistsException");
    this.move(from, to);
    return { status: 200 };
  }

  /** As without options: the entry moves into an existing directory. */
  #renameInto(from: string, to: string): Reply {
    const there = this.#inodes.get(to);
    const isInto = there !== undefined && there.content === undefined;
    const whole = isInto ? posix.join(to, posix.basename(from)) : to;
    const isMissing = !this.#inodes.has(from) || !this.#inodes.has(posix.dirname(whole));
    const isDone = !isMissing && !this.#inodes.has(whole);
    if (isDone) this.move(from, whole);
    return { status: 200, body: { boolean: isDone } };
  }
}

const pathOf = ({ pathname }: URL): string =>
  decodeURIComponent(pathname.replace(/^\/webhdfs\/v1(?=\/)/, ""));

/** The file whose bytes come with a request, as to a DataNode. */
const uploadOf = (url: URL): string | undefined =>
  url.searchParams.has("datanode") ? pathOf(url) : undefined;

const uploaded = (fate: Fate): Reply =>
  fate === "refused"
    ? refusal(403, "AccessControlException")
    : { status: 201, isLost: fate === "answer-lost" };

/** The bytes that arrived: the client may break off. */
async function received(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk);
  } catch {
    // The client's connection is gone.
  }
  return Buffer.concat(chunks);
}

const refusal = (status: number, exception: string): Reply => ({
  status,
  body: { RemoteException: { exception, message: "as the test has it" } },
});

const statusOf = ({ id, modifiedAt, content }: Inode, pathSuffix: string) => ({
  pathSuffix,
  type: content === undefined ? "DIRECTORY" : "FILE",
  length: content?.length ?? 0,
  fileId: id,
  modificationTime: modifiedAt,
});
