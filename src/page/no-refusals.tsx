import type { PageHead } from "../report/page/document.ts";

/** Names the commands that reconstruct refusals for a journal that does not record them. */
export const NoRefusals = ({ head }: { readonly head: PageHead }) =>
  head.lacksRefusals === true ? (
    <p class="faint">
      This journal does not record what the policy refused. <code>report --refusals</code> and{" "}
      <code>page --refusals</code> work it out.
    </p>
  ) : null;
