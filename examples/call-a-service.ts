/**
 * Which topics do a web log's visits go to? The log names pages; a service knows their topics. It
 * is asked once for each page, so the visits are counted by page first.
 *
 *     node examples/make-data.mjs data
 *     node examples/topic-service.mjs 8125 &
 *     npx broomwagon run examples/call-a-service.ts --input data/visits.csv --output topics
 *
 * Another service: --param service=http://host:port
 */
import { count, csv, defineFlow, sum, tsv } from "broomwagon/job";

const VISIT = { page: "text", status: "number" } as const;
const about = {
  name: "topics",
  counters: ["asked-again"],
  params: { service: "http://127.0.0.1:8125" },
} as const;

async function topicOf(page: string, service: string, signal: AbortSignal): Promise<string> {
  // The signal ends the request when the call's time is over.
  const response = await fetch(`${service}/topics/${encodeURIComponent(page)}`, { signal });
  if (!response.ok) throw new Error(`${page}: the service answered ${response.status}`);
  const answer: unknown = await response.json();
  if (typeof answer === "object" && answer !== null && "topic" in answer) {
    return String(answer.topic);
  }
  throw new Error(`${page}: expected { topic }, found ${JSON.stringify(answer)}`);
}

export default defineFlow(about, (f) => {
  f.read("visits", csv("data/visits.csv", { columns: VISIT }))
    .filter(({ status }) => status === 200)
    .keyBy("page")
    .fold("visits-by-page", count())
    .mapAsync(
      async ([page, visits], { params, signal, retry, count }) => {
        const topic = await topicOf(page, params.service, signal);
        // Only the try that succeeds counts.
        count("asked-again", retry);
        return [topic, visits] as const;
      },
      { concurrency: 8, timeoutMs: 5_000, retries: 3, backoffMs: 100 },
    )
    .keyBy(
      ([topic]) => topic,
      ([, visits]) => visits,
    )
    .fold("visits-by-topic", sum())
    .write(tsv());
});
