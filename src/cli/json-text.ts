/**
 * JSON for programs. Numbers that JSON lacks, such as Infinity, are written as text, as in
 * journals.
 */
export const jsonText = (value: unknown): string =>
  JSON.stringify(
    value,
    (_, each: unknown) =>
      typeof each === "number" && !Number.isFinite(each) ? String(each) : each,
    2,
  );
