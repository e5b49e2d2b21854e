/** Explains how to open the page of a server on another machine. */
export const Elsewhere = () => (
  <p class="faint">
    From another machine:{" "}
    <code>
      ssh -L {location.port}:127.0.0.1:{location.port} HOST
    </code>
    , then the address that was printed.
  </p>
);
