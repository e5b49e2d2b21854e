const CAUSE = "Caused by: ";
const LENGTH_MAX = 500;

/**
 * The cause in Hadoop's diagnostics: the last cause of an exception, since the first lines name
 * what was being done. Of two causes that say the same, the longer one, which names a program or a
 * file. Without a cause, the first line.
 */
export function causeIn(diagnostics: string): string {
  const lines = diagnostics.split("\n").flatMap((line) => line.trim() || []);
  const [first = "Hadoop does not say why"] = lines;
  const causes = lines.flatMap((line) => {
    return line.startsWith(CAUSE) ? [line.slice(CAUSE.length)] : [];
  });
  const last = causes.at(-1) ?? first;
  return (causes.find((cause) => cause.endsWith(messageOf(last))) ?? last).slice(0, LENGTH_MAX);
}

/** The message without the exception's class, which stands alone where there is no message. */
const messageOf = (cause: string): string => /^[\w.$]+: (.+)$/.exec(cause)?.[1] ?? cause;
