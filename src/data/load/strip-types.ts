import { InputError } from "../../base/input-error.ts";

/**
 * TypeScript without its types, each replaced by blanks, so that lines and columns stay. One
 * compiler on every Node, the one that Node itself carries from version 22.6 on.
 */
export async function stripTypes(source: string, file: string): Promise<string> {
  // Only a master needs it, and not all of them.
  const { transformSync } = await import("@swc/wasm-typescript");
  try {
    return transformSync(source, { mode: "strip-only", filename: file }).code;
  } catch (error) {
    throw refusal(error, file);
  }
}

/** The compiler throws a plain object with the place; anything else is its own failure. */
function refusal(error: unknown, file: string): unknown {
  if (typeof error !== "object" || error === null) return error;
  if (!("message" in error && "startLine" in error)) return error;
  return new InputError("bad-job", `${file}:${error.startLine}`, String(error.message));
}
