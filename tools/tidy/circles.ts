import { posix } from "node:path";
import { importsOf } from "./imports.ts";
import { type Check, type Finding, isTypeScript, type SourceFile } from "./source.ts";

/** No circle of imports, types included: every file can be read after the files that it imports. */
export const circles: Check = (files) => {
  const imports = new Map(
    files
      .filter((file) => file.path.startsWith("src/") && isTypeScript(file))
      .map((file) => [file.path, importedBy(file)]),
  );
  return strongComponents(imports).map((circle) => finding(circle));
};

const importedBy = (file: SourceFile): readonly string[] =>
  importsOf(file)
    .filter(({ target }) => target.startsWith("."))
    .map(({ target }) => posix.join(posix.dirname(file.path), target));

function finding(circle: readonly string[]): Finding {
  const [path = "", ...others] = [...circle].sort();
  return { path, line: 1, message: `imports in a circle with ${others.join(", ")}` };
}

/** Tarjan's algorithm: the sets of two or more files that reach one another. */
function strongComponents(
  imports: ReadonlyMap<string, readonly string[]>,
): readonly (readonly string[])[] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const found: (readonly string[])[] = [];
  const visit = (path: string): number => {
    const index = order.size;
    order.set(path, index);
    lowest.set(path, index);
    stack.push(path);
    let low = index;
    for (const next of imports.get(path) ?? []) {
      if (!imports.has(next)) continue;
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (stack.includes(next)) low = Math.min(low, order.get(next) ?? low);
    }
    lowest.set(path, low);
    if (low === index) {
      const circle = stack.splice(stack.indexOf(path));
      if (circle.length > 1) found.push(circle);
    }
    return low;
  };
  for (const path of imports.keys()) if (!order.has(path)) visit(path);
  return found;
}
