import type { ComponentChildren, JSX } from "preact";

/** A card whose content may be wider than a phone: keys scroll it too. */
export function Scroll({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <section class="card padded scroll" aria-label={name} tabIndex={0}>
      {children}
    </section>
  );
}
