/**
 * The lines, from 1, on which the items of a list in valid JSON begin. The list is the text itself,
 * or the property of this name in the text's object, the last one where it occurs twice.
 */
export function itemLines(json: string, property?: string): readonly number[] {
  let lines: number[] = [];
  let line = 1;
  let depth = 0;
  let key = "";
  let isList = false;
  let isItemNext = false;
  for (const { 0: token } of json.matchAll(TOKENS)) {
    if (token === "\n") {
      line++;
      continue;
    }
    const isOpening = token === "[" || token === "{";
    const isClosing = token === "]" || token === "}";
    if (isItemNext && !isClosing) {
      lines.push(line);
      isItemNext = false;
    }
    if (isList && depth === itemDepth(property) && token === ",") isItemNext = true;
    if (depth === 1 && token.startsWith('"')) key = token;
    if (isOpening) depth++;
    if (token === "[" && depth === itemDepth(property)) {
      isList = property === undefined || key === JSON.stringify(property);
      if (isList) {
        lines = [];
        isItemNext = true;
      }
    }
    if (isClosing) {
      if (depth === itemDepth(property)) {
        isList = false;
        isItemNext = false;
      }
      depth--;
    }
  }
  return lines;
}

const itemDepth = (property: string | undefined): number => (property === undefined ? 1 : 2);

const TOKENS = /"(?:[^"\\]|\\.)*"|[[\]{},\n]|[^\s[\]{},":]+/g;
