/** A table's heads, each perhaps with its class before it: `n:took` is the head of numbers. */
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
