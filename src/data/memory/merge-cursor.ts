import type { Cursor } from "../bytes/cursor.ts";
import type { MergeStream } from "./merge-stream.ts";
import { RecordCursor } from "./record-cursor.ts";
import type { Workspace } from "./workspace.ts";

/** The records of a merged stream, one at a time. */
export class MergeCursor implements Cursor {
  bytes: Uint8Array = new Uint8Array(0);
  keyStart = 0;
  keyEnd = 0;
  end = 0;
  readonly #stream: MergeStream;
  readonly #records: RecordCursor;

  constructor(space: Workspace, stream: MergeStream) {
    this.#stream = stream;
    this.#records = new RecordCursor(space, stream.next());
  }

  advance(): boolean {
    const records = this.#records;
    if (!records.advance()) {
      records.restart(this.#stream.next());
      if (!records.advance()) return false;
    }
    this.bytes = records.bytes;
    this.keyStart = records.keyStart;
    this.keyEnd = records.keyEnd;
    this.end = records.end;
    return true;
  }
}
