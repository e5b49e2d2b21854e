import type { ComponentChildren } from "preact";

interface Props {
  readonly onClick: () => void;
  readonly "aria-pressed"?: boolean;
  readonly children: ComponentChildren;
}

/** A button that reads as a link. */
export const Link = (props: Props) => <button type="button" class="link" {...props} />;
