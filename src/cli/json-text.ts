/** JSON for programs. What JSON has no number for is written as text, as in journals. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(
    value,
    (_, each: unknown) =>
      typeof each === "number" && !Number.isFinite(each) ? String(each) : each,
    2,
  );
