import { ByteWriter } from "../../job/byte-writer.ts";
import { blamed } from "../../job/culprit.ts";
import { emitted } from "../../job/emitted.ts";
import type { Combiner } from "../../job/program.ts";
import type { UserContext } from "../../job/user-context.ts";
import type { Combine } from "../bytes/combine.ts";
import { KeyGroups } from "../bytes/groups.ts";
import { writeValue } from "../bytes/value-bytes.ts";

/** The user's own combine: what it returns for a key are the values that travel. */
export function userCombine(
  combiner: Extract<Combiner, { kind: "function" }>,
  ctx: UserContext,
): Combine {
  const value = new ByteWriter();
  return (records, writer) => {
    const groups = new KeyGroups(records);
    while (groups.advance()) {
      try {
        const made = combiner.combine(groups.key, groups.values(), ctx);
        for (const one of emitted(made, "combine")) {
          value.length = 0;
          writeValue(value, one);
          writer.writeApart({ key: groups.keyBytes, value });
        }
      } catch (error) {
        throw blamed(error, combiner.combine);
      }
    }
  };
}
