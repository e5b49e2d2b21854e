/** Schemes of URLs, and the command that writes such an object to standard output. */
const READERS: readonly (readonly [scheme: RegExp, reader: (url: string) => string])[] = [
  [/^s3[an]?:/, (url) => `aws s3 cp ${quoted(url.replace(/^s3[an]:/, "s3:"))} -`],
  [/^gs:/, (url) => `gcloud storage cat ${quoted(url)}`],
  [/^(?:https?|ftp):/, (url) => `curl -sL ${quoted(url)}`],
  [/^[a-z][a-z\d+.-]*:/, (url) => `hadoop fs -cat ${quoted(url)}`],
];

/**
 * For the URL of an object that this program does not read, the command whose output can be read in
 * its place; undefined for a path.
 */
export function readerOf(path: string): string | undefined {
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(path)) return undefined;
  return READERS.find(([scheme]) => scheme.test(path.toLowerCase()))?.[1](path);
}

/** The URL as a word of a shell. */
const quoted = (url: string): string =>
  /^[\w./:@%+=,-]+$/.test(url) ? url : `'${url.replaceAll("'", "'\\''")}'`;
