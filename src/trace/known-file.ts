import { textOf } from "./byte-text.ts";

const bytes = (...values: readonly number[]): string => String.fromCharCode(...values);

/** Files that people try, by what they begin with. */
const KNOWN: readonly (readonly [begins: RegExp | string, what: string])[] = [
  [bytes(0x50, 0x4b, 3, 4), "a zip archive within a compressed file: decompress it first"],
  [bytes(0x42, 0x5a, 0x68), "a file compressed with bzip2: decompress it first"],
  [bytes(0xfd, 0x37, 0x7a, 0x58, 0x5a), "a file compressed with xz: decompress it first"],
  [bytes(4, 0x22, 0x4d, 0x18), "an LZ4 frame of the command lz4: decompress it first"],
  [bytes(0xff, 0xfe), "text in UTF-16: convert it to UTF-8 first"],
  [bytes(0xfe, 0xff), "text in UTF-16: convert it to UTF-8 first"],
  [bytes(0x1f, 0x8b), "a file that is compressed twice: decompress it once"],
  [bytes(0x28, 0xb5, 0x2f, 0xfd), "a file that is compressed twice: decompress it once"],
  ["PAR1", "a Parquet file"],
  ["ORC", "an ORC file"],
  [`Obj${bytes(1)}`, "an Avro file of data"],
  [`SEQ${bytes(6)}`, "a SequenceFile of Hadoop, as Tez keeps its history: it is not read"],
  [/^\s*<(!doctype\s+html|html|head)/i, "a page of HTML: ask the server for the log itself"],
  [/^\s*<\?xml|^\s*<configuration/, "XML, such as a job's settings: the history is beside it"],
  [/^\s*\{?\s*"?(entity|entitytype|dagId|events)"?\s*:.*(dag|DAG|tez|TEZ)_/s, "a history of Tez"],
  [
    /^\s*\[\s*\{\s*"(id|jobId|stageId|status|taskId)"\s*:/,
    "an answer of Spark's REST interface: take the event log, /applications/ID/logs",
  ],
  [
    /^\s*\{\s*"(jobs|app|apps|jobTaskAttemptCounters|tasks|taskAttempts)"\s*:/,
    "an answer of Hadoop's REST interface: give the URL of the job itself",
  ],
  [/^\d+,\d*,\d+,\d+,\d*,\d+,/, "a table of Google's cluster trace"],
  [/^[MRJ]\d+(_\d+)*,\d+,j_\d+,/, "a table of Alibaba's cluster trace"],
  [
    /^(\d{4}-\d\d-\d\d|\d\d\/\d\d\/\d\d)[ T]\d\d:\d\d:\d\d\S*\s+(INFO|WARN|ERROR|DEBUG)/,
    "a log of a driver, a container or an ApplicationMaster, without times of tasks",
  ],
  [/^\s*\{\s*"(appInfo|appContext|appMetrics)"\s*:/, "a report of Sparklens: take the event log"],
];

/** What a file is that is no history, by its first bytes; undefined if that is not known. */
export function knownFile(head: Uint8Array): string | undefined {
  const latin = String.fromCharCode(...head.subarray(0, 8));
  const text = textOf(head.subarray(0, 2_048));
  const isKnown = (begins: RegExp | string): boolean =>
    typeof begins === "string" ? latin.startsWith(begins) : begins.test(text);
  return KNOWN.find(([begins]) => isKnown(begins))?.[1];
}
