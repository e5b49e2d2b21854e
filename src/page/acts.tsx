import { useSignal } from "@preact/signals";

/** What a button says and does; its answer, if any, is shown to the reader. */
export type Act = readonly [label: string, act: () => unknown];

/** Buttons, and the outcome of the last press in words. */
export function Acts({ of }: { readonly of: readonly Act[] }) {
  const said = useSignal("");
  return (
    <>
      {of.map(([label, act]) => (
        <button
          type="button"
          key={label}
          onClick={async () => {
            said.value = `${label} …`;
            try {
              said.value = String((await act()) ?? "");
            } catch (error) {
              said.value = String(error);
            }
          }}
        >
          {label}
        </button>
      ))}
      <output>{said.value}</output>
    </>
  );
}
