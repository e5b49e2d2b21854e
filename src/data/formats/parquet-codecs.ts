import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { decompress } from "fzstd";
import type { Compressors, FileMetaData } from "hyparquet";
import { InputError } from "../../base/input-error.ts";
import type { InputFile } from "./input-file.ts";
import { optionalPackage } from "./optional-package.ts";

const MORE = "hyparquet-compressors";

/** Decompressors that need no other package; Snappy is in `hyparquet`. */
const OWN: Compressors = {
  GZIP: (bytes) => gunzipSync(bytes),
  BROTLI: (bytes) => brotliDecompressSync(bytes),
  ZSTD: (bytes, size) => decompress(bytes, new Uint8Array(size)),
};

/**
 * The decompressors for the file's columns. Throws an InputError if one is not installed: LZ4 comes
 * with a package of its own. `load` is a parameter for the test of this function.
 */
export async function codecsFor(
  file: InputFile,
  { row_groups: groups }: FileMetaData,
  load: () => Promise<{ readonly compressors: Compressors }> = () =>
    import("hyparquet-compressors"),
): Promise<Compressors> {
  const known = new Set(["UNCOMPRESSED", "SNAPPY", ...Object.keys(OWN)]);
  const columns = groups.flatMap((group) =>
    group.columns.flatMap((column) => column.meta_data ?? []),
  );
  const other = columns.find(({ codec }) => !known.has(codec));
  if (other === undefined) return OWN;
  const more = await optionalPackage(load);
  const found = `found ${other.codec} in column ${JSON.stringify(other.path_in_schema.join("."))}`;
  if (more === undefined) {
    const expected = `expected Parquet compressed by one of ${[...known].join(", ")}, ${found}`;
    const install = `to read it, install the package ${MORE}: npm install ${MORE}`;
    throw new InputError("bad-input", file.path, `${expected}; ${install}`);
  }
  for (const { codec } of columns) {
    if (known.has(codec) || Object.hasOwn(more.compressors, codec)) continue;
    throw new InputError("bad-input", file.path, `expected a codec that ${MORE} has, ${found}`);
  }
  return { ...more.compressors, ...OWN };
}
