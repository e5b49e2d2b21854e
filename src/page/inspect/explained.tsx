import { span } from "../format.ts";
import { numberRows } from "../number-rows.ts";
import type { PageState } from "../state.ts";

/** A decision with its sentence and every number of its journal line. */
export function Explained({ state, index }: { readonly state: PageState; readonly index: number }) {
  const one = state.run.head.decisions[index];
  if (one === undefined) return null;
  return (
    <div data-decision={index}>
      <p>
        <b>
          {span(one.at)} {one.what}
        </b>{" "}
        <code>{one.rule}</code>
        <br />
        <span class="faint">{one.text}</span>
      </p>
      <Numbers numbers={one.numbers} />
    </div>
  );
}

export function Numbers({
  numbers,
}: {
  readonly numbers: Readonly<Record<string, number | string>>;
}) {
  return (
    <dl>
      {numberRows(numbers).map(({ name, text, raw }) => (
        <>
          <dt>{name}</dt>
          <dd data-number={raw}>{text}</dd>
        </>
      ))}
    </dl>
  );
}
