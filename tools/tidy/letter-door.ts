import { posix } from "node:path";
import { importsOf } from "./imports.ts";
import { type Check, type Finding, isTypeScript, lineAt } from "./source.ts";

const LETTER = /^test\/letter\//;
/** The scheduler's public modules: the core, and disciplines by name. */
const DOORS = ["src/core/index.ts", "src/policy/index.ts"];

/**
 * A reference that shares code with what it judges is blind to that code's errors, so test/letter
 * may import the product only through its public modules.
 */
export const letterDoor: Check = (files) => {
  const findings: Finding[] = [];
  for (const file of files) {
    if (!LETTER.test(file.path) || !isTypeScript(file)) continue;
    for (const { target, offset } of importsOf(file)) {
      if (!target.startsWith(".")) continue;
      const to = posix.join(posix.dirname(file.path), target);
      if (LETTER.test(to) || DOORS.includes(to)) continue;
      const message = `${to} is behind the door: a letter may import ${DOORS.join(" and ")} alone`;
      findings.push({ path: file.path, line: lineAt(file, offset), message });
    }
  }
  return findings;
};
