import { posix } from "node:path";
import { importsOf } from "./imports.ts";
import { type Check, type Finding, isTypeScript, lineAt } from "./source.ts";

/** The scheduler's public modules: the core, and disciplines by name. */
const DOORS = ["src/core/index.ts", "src/policy/index.ts"];
/** The simulator, and the journals of its runs. */
const JOURNALS = ["src/core/journal/index.ts", "src/hosts/sim/index.ts"];

/** What the files of a folder may import: the product's doors, and these files of tests. */
const FOLDERS = [
  { of: /^test\/letter\//, mayImport: /^test\/letter\//, doors: DOORS },
  {
    of: /^test\/referee\//,
    mayImport: /^test\/(referee|letter)\//,
    doors: [...DOORS, ...JOURNALS],
  },
  {
    of: /^test\/evidence\//,
    mayImport: /^test\/(evidence\/|letter\/flags|diagnose\/support\/dice|cli\/support\/screen)/,
    doors: ["src/cli/program.ts"],
  },
];

/**
 * A reference that shares code with what it judges is blind to that code's errors, so letters,
 * referees and the nets of the diagnosis may import the product only through its public modules.
 */
export const letterDoor: Check = (files) => {
  const findings: Finding[] = [];
  for (const file of files) {
    const folder = FOLDERS.find(({ of }) => of.test(file.path));
    if (folder === undefined || !isTypeScript(file)) continue;
    const { doors, mayImport } = folder;
    for (const { target, offset } of importsOf(file)) {
      if (!target.startsWith(".")) continue;
      const to = posix.join(posix.dirname(file.path), target);
      if (mayImport.test(to) || doors.includes(to)) continue;
      const message = `${to} is behind the door: ${file.path} may import ${doors.join(", ")} alone`;
      findings.push({ path: file.path, line: lineAt(file, offset), message });
    }
  }
  return findings;
};
