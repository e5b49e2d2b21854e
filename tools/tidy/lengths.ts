import { type Check, type Finding, isTest, isTypeScript, lineAt, walk } from "./source.ts";

const FILE_LINES_MAX = 400;
const FUNCTION_LINES_MAX = 70;
const COLUMNS_MAX = 100;

/** Exceptions from the time the rule came: `path` or `path:function` -> lines. May only shrink. */
export const RATCHET: ReadonlyMap<string, number> = new Map<string, number>([]);

const IS_CODE = /\.(ts|js|java)$/;

/** No file above 400 lines: split it by concept. */
export const fileLength: Check = (files) =>
  files.flatMap((file) => {
    const lines = file.text.split("\n").length - 1;
    if (!IS_CODE.test(file.path) || lines <= (RATCHET.get(file.path) ?? FILE_LINES_MAX)) return [];
    const message = `${lines} lines, at most ${FILE_LINES_MAX}: split it by concept`;
    return [{ path: file.path, line: 1, message }];
  });

/** No line of code above 100 columns. */
export const columns: Check = (files) =>
  files.flatMap((file) => {
    if (!IS_CODE.test(file.path)) return [];
    return file.text.split("\n").flatMap((text, index) => {
      if (text.length <= COLUMNS_MAX) return [];
      const message = `${text.length} columns, at most ${COLUMNS_MAX}`;
      return [{ path: file.path, line: index + 1, message }];
    });
  });

/** No function above 70 lines, one screen. Tests tell stories and may be longer. */
export const functionLength: Check = (files) => {
  const findings: Finding[] = [];
  for (const file of files) {
    if (!isTypeScript(file) || isTest(file)) continue;
    walk(file, (node) => {
      if (!/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type))
        return;
      const line = lineAt(file, node.start);
      const lines = lineAt(file, node.end) - line + 1;
      if (lines <= FUNCTION_LINES_MAX) return;
      const message = `a function of ${lines} lines, at most ${FUNCTION_LINES_MAX}: split it`;
      findings.push({ path: file.path, line, message });
    });
  }
  return findings;
};
