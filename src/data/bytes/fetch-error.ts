/**
 * A map's output could not be read: the file is missing or cut short, or a checksum does not match.
 */
export class FetchError extends Error {
  override readonly name = "FetchError";
  /** The map task's index. */
  readonly map: number;
  readonly path: string;

  constructor(map: number, path: string, reason: string) {
    super(`output of map ${map}: ${path}: ${reason}`);
    this.map = map;
    this.path = path;
  }
}
