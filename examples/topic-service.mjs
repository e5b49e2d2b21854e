/**
 * A service for call-a-service.ts: tells the topic of a page, as JSON.
 *
 *     node examples/topic-service.mjs 8125
 *
 * An answer takes 5 to 25 ms. Of the pages, one in ten gets "503 Service Unavailable" when it is
 * asked for the first time: callers of real services meet that, too.
 */
import { createServer } from "node:http";

const TOPICS = ["news", "sports", "music", "travel", "food"];

const sumOf = (text) => Array.from(text).reduce((sum, char) => sum + char.charCodeAt(0), 0);

const known = new Set();
const server = createServer((request, response) => {
  const page = decodeURIComponent((request.url ?? "").replace(/^\/topics\//, ""));
  const sum = sumOf(page);
  const isBusy = sum % 10 === 0 && !known.has(page);
  known.add(page);
  setTimeout(
    () => {
      response.writeHead(isBusy ? 503 : 200, { "content-type": "application/json" });
      response.end(isBusy ? "{}" : JSON.stringify({ topic: TOPICS[sum % TOPICS.length] }));
    },
    5 + (sum % 20),
  );
});

server.listen(Number(process.argv[2] ?? 8125), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});
