import { type Infer, list, record, required, standard, text } from "../../base/shape.ts";
import { parseDiscipline } from "../../policy/discipline.ts";

/** The fields of a scheme, which a study runs beside others. */
export const SCHEME = {
  /** The setting in the names of its columns: "reduction of LATE". */
  label: required(text),
  discipline: required(text),
  /** Values of `--set`: "speculation.gap=0". */
  set: standard(list(text), []),
};

export type Scheme = Infer<typeof scheme>;
export const scheme = record("a scheme", SCHEME);

export const disciplineOf = ({
  discipline,
  set,
}: Pick<Scheme, "discipline" | "set">): ReturnType<typeof parseDiscipline> =>
  parseDiscipline(discipline, set);
