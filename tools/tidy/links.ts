import { posix } from "node:path";
import type { Check, SourceFile } from "./source.ts";

const LINK = /\[[^\]]*\]\(([^()\s]+)\)/g;
const QUOTED_PATH = /`((?:src|docs|test|tools|bench|examples|scenarios|bin|\.ci)\/[\w./-]*)`/g;

/** Every link and every quoted path in the documents leads to a file or heading. */
export const links: Check = (files) => {
  const known = new Map(files.map((file) => [file.path, file]));
  const folders = new Set(files.flatMap((file) => foldersAbove(file.path)));
  const isThere = (path: string): boolean =>
    known.has(path) || folders.has(path.replace(/\/$/, ""));
  return files
    .filter((file) => file.path.endsWith(".md"))
    .flatMap((file) =>
      proseLines(file).flatMap(([line, text]) => {
        const linked = [...text.matchAll(LINK)]
          .map((match) => match[1] ?? "")
          .filter((target) => !/^[a-z]+:/.test(target) && !leadsSomewhere(file, target));
        const quoted = [...text.matchAll(QUOTED_PATH)]
          .map((match) => match[1] ?? "")
          .filter((path) => !isThere(path));
        return [...linked, ...quoted].map((target) => ({
          path: file.path,
          line,
          message: `${target}: there is no such thing`,
        }));
      }),
    );

  function leadsSomewhere(from: SourceFile, target: string): boolean {
    const [path = "", anchor] = target.split("#");
    const to = path === "" ? from.path : posix.join(posix.dirname(from.path), path);
    if (!isThere(to)) return false;
    const page = known.get(to);
    return anchor === undefined || (page !== undefined && anchorsOf(page).has(anchor));
  }
};

function foldersAbove(path: string): readonly string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

/** The lines with their numbers, without fenced code. */
function proseLines(file: SourceFile): readonly (readonly [line: number, text: string])[] {
  let isFenced = false;
  return file.text.split("\n").flatMap((text, index) => {
    if (text.startsWith("```")) isFenced = !isFenced;
    return isFenced ? [] : [[index + 1, text] as const];
  });
}

/** A heading's anchor in GitHub's form. */
function anchorsOf(file: SourceFile): ReadonlySet<string> {
  const headings = proseLines(file).flatMap(([, text]) => /^#+ (.*)/.exec(text)?.[1] ?? []);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}
