import { type FileState, InputFile } from "./input-file.ts";
import { BadRecords, type OnBadRecord } from "./malformed.ts";
import { ParquetFile } from "./parquet-file.ts";

/**
 * The places in the file where splits start, the first at 0: each split has whole row groups, as
 * many as fit in `splitBytes`, and at least one. A file that is not Parquet is one split, or an
 * error if bad records fail the job.
 */
export async function parquetStarts(query: {
  readonly file: FileState;
  readonly splitBytes: number;
  readonly onBadRecord: OnBadRecord;
}): Promise<readonly number[]> {
  const { path, bytes } = query.file;
  const { splitBytes, onBadRecord } = query;
  if (bytes === 0) return [0];
  const file = new InputFile(query.file);
  try {
    const { rowGroups } = await ParquetFile.open(file);
    const places = rowGroups.map(({ start }) => start).sort((x, y) => x - y);
    const starts = [0];
    for (const [i, place] of places.entries()) {
      const end = places[i + 1] ?? bytes;
      if (i > 0 && end - (starts.at(-1) ?? 0) > splitBytes) starts.push(place);
    }
    return starts;
  } catch (error) {
    new BadRecords(onBadRecord).take(error, () => path);
    return [0];
  } finally {
    file.close();
  }
}
