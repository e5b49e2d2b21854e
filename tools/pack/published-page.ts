import { posix } from "node:path";

/** What the links of a published page can lead to. */
export interface Surroundings {
  /** Whether a file or a folder is in the package; the path starts at the package's root. */
  readonly isShipped: (path: string) => boolean;
  /** The address of a file in the public repository; undefined while there is none. */
  readonly address: ((path: string, kind: "page" | "picture") => string) | undefined;
}

const FENCED = /^(```.*?^```)/ms;
/** A link or a picture; the text of a link may reach over the end of a line. */
const LINK = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g;

/**
 * A Markdown page as the package has it: no link leads out of the package into nothing. A link to
 * a file that the package lacks leads to the repository; without a repository, the text of the
 * link is left. README.md stands alone on the pages of registries, so all of its links do so.
 */
export function publishedPage(path: string, text: string, around: Surroundings): string {
  return text
    .split(FENCED)
    .map((part) => (part.startsWith("```") ? part : part.replaceAll(LINK, published)))
    .join("");

  function published(link: string, mark: string, words: string, target: string): string {
    if (/^([a-z]+:|#)/.test(target)) return link;
    const [file = "", anchor] = target.split("#");
    const to = posix.join(posix.dirname(path), file).replace(/\/$/, "");
    const { isShipped, address } = around;
    if (isShipped(to) && (address === undefined || path !== "README.md")) return link;
    const isPicture = mark === "!";
    if (address === undefined) return isPicture ? `*${words}*` : words;
    const place = address(to, isPicture ? "picture" : "page");
    return `${mark}[${words}](${place}${anchor === undefined ? "" : `#${anchor}`})`;
  }
}
