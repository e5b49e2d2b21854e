import { existsSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that run for minutes though they are small. On a new clone vitest starts the largest files
 * first, so the last of these would run alone, beside an idle processor.
 */
const LONGEST = [
  "test/letter/letter.test.ts",
  "test/simulate/liveness.test.ts",
  "test/conformance/conformance.test.ts",
  "test/referee/referee.test.ts",
  "test/letter/forms.test.ts",
  "test/books/books.long.test.ts",
];

/** The listed files of each project in this order, then all others in vitest's own. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const gone = LONGEST.filter((path) => !existsSync(new URL(`../${path}`, import.meta.url)));
    if (gone.length > 0) throw new Error(`tools/longest-first.ts names ${gone}: not there`);
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return sorted.sort(
      (a, b) =>
        projects.indexOf(a.project) - projects.indexOf(b.project) ||
        place(a.moduleId) - place(b.moduleId),
    );
  }
}

function place(path: string): number {
  const found = LONGEST.findIndex((listed) => path.endsWith(`/${listed}`));
  return found === -1 ? LONGEST.length : found;
}
