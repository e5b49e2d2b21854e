/** A table's heads; a prefix gives the column's class: `n:took` is the head of numbers. */
export const Heads = ({ of }: { readonly of: readonly string[] }) => (
  <thead>
    <tr>
      {of.map((head) => {
        const [text, names] = head.split(":").reverse();
        return (
          <th key={head} class={names}>
            {text}
          </th>
        );
      })}
    </tr>
  </thead>
);
