import { createReadStream, existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { JsonAnswer } from "./json-answer.ts";

/** A succeeded map whose output was lost: Hadoop runs the map again by itself. */
export interface LostOutput {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** For instance `m_000003_0`. */
  readonly attempt: string;
}

/** The lost outputs in the policies' journal of an ApplicationMaster; none without a journal. */
export async function readLostOutputs(journal: string): Promise<readonly LostOutput[]> {
  if (!existsSync(journal)) return [];
  const lost: LostOutput[] = [];
  for await (const text of createInterface({ input: createReadStream(journal) })) {
    if (!text.includes('"type":"output-lost"')) continue;
    const line = parsed(text).part("host").part("line");
    if (line.text("type") !== "output-lost") continue;
    lost.push({ at: line.number("at"), attempt: line.text("attempt") });
  }
  return lost;
}

/** The last line may be cut off. */
function parsed(text: string): JsonAnswer {
  try {
    return new JsonAnswer(JSON.parse(text), "journal");
  } catch {
    return new JsonAnswer({}, "journal");
  }
}
