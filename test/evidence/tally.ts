/** How often each property was tried and failed, and the first inputs that failed it. */
export class Tally {
  readonly #rows = new Map<string, Row>();

  /** `fault`: what is wrong; undefined if the property holds. `share`: of the tries may fail. */
  add(property: string, input: string, fault: string | undefined, share = 0): void {
    const row = this.#rows.get(property) ?? { tried: 0, failed: 0, share, first: [] };
    this.#rows.set(property, row);
    row.tried += 1;
    if (fault === undefined) return;
    row.failed += 1;
    if (row.first.length < KEPT) row.first.push({ input, fault });
  }

  /** Whether the input is one of those that are shown. */
  shows(input: string): boolean {
    return this.rows().some(({ first }) => first.some((one) => one.input === input));
  }

  rows(): readonly (Row & { readonly property: string })[] {
    return Array.from(this.#rows, ([property, row]) => ({ property, ...row }));
  }
}

/** So many failing inputs of a property are enough to find the fault. */
const KEPT = 5;

interface Row {
  tried: number;
  failed: number;
  readonly share: number;
  readonly first: { readonly input: string; readonly fault: string }[];
}

type Rows = ReturnType<Tally["rows"]>;

/** More failures than the property allows. */
export const isBroken = ({ tried, failed, share }: Rows[number]): boolean => failed > share * tried;

export function table(rows: Rows): string {
  const width = Math.max(...rows.map(({ property }) => property.length)) + 2;
  const row = (name: string, ...cells: readonly string[]): string =>
    `${name.padEnd(width)}${cells.map((cell) => cell.padStart(9)).join("")}\n`;
  const lines = rows.map(({ property, tried, failed, share }) =>
    row(property, String(tried), String(failed), String(Math.floor(share * tried))),
  );
  return `${row("property", "tried", "failed", "allowed")}${lines.join("")}`;
}

export const failures = (rows: Rows): string =>
  rows
    .filter(isBroken)
    .flatMap(({ property, first }) =>
      first.map(({ input, fault }) => `${property}\n  ${input}\n  ${fault}\n`),
    )
    .join("");
