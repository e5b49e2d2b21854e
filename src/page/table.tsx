import type { ComponentChild } from "preact";
import { Heads } from "./heads.tsx";

export type Cells = readonly ComponentChild[];

interface Props {
  /** The heads, as `Heads` has them; the cells below are of the same classes. */
  readonly of: readonly string[];
  readonly rows: readonly Cells[];
  readonly class?: string;
  /** The numbers of the rows that say little. */
  readonly weak?: readonly boolean[];
}

/** A table of uniform rows. */
export const Table = ({ of, rows, weak = [], class: name }: Props) => (
  <table class={name}>
    <Heads of={of} />
    <tbody>
      {rows.map((cells, n) => (
        <tr key={n} class={weak[n] === true ? "weak" : ""}>
          {cells.map((cell, at) => (
            <td key={at} class={of[at]?.split(":").reverse()[1]}>
              {cell}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);
