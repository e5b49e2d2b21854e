import type { InputFormat } from "../../job/index.ts";
import type { Format, RemoteFile } from "./format.ts";
import { ParquetRecords } from "./parquet-records.ts";
import { parquetStarts } from "./parquet-splits.ts";

const FOOTER_BYTES = 8;

export function parquetFormat(format: Extract<InputFormat, { kind: "parquet" }>): Format {
  return {
    packages: ["hyparquet", "hyparquet-compressors"],
    async cut(file, how) {
      return { compression: "none", starts: await parquetStarts({ file, ...how }) };
    },
    cutReads: footerAt,
    // The metadata at the end of the file describes the whole file.
    needs: () => undefined,
    open: (query) => new ParquetRecords({ ...query, format }),
  };
}

async function footerAt({ bytes, read }: RemoteFile): Promise<number | undefined> {
  if (bytes === 0) return undefined;
  const end = await read(Math.max(0, bytes - FOOTER_BYTES), bytes);
  const isWhole = end.length === FOOTER_BYTES && end.includes("PAR1", 4);
  // The mark at the end follows the length of the metadata.
  return Math.max(0, bytes - FOOTER_BYTES - (isWhole ? end.readUInt32LE() : 0));
}
