import { get as getHTTP } from "node:http";
import { get as getHTTPS } from "node:https";
import type { Json } from "../../../base/json.ts";
import type { ResourceManager } from "./am-line.ts";
import { type FactsLine, readNodes } from "./facts.ts";

const TIMEOUT_MS = 5_000;

/**
 * The nodes, from the first ResourceManager that answers; never rejects. `user`: the user of the
 * job, if known; without one Hadoop assumes `dr.who`, whom it may turn away.
 */
export async function askNodes(
  managers: readonly ResourceManager[],
  { user, signal }: { readonly user: string | undefined; readonly signal: AbortSignal },
): Promise<FactsLine> {
  const errors: string[] = [];
  for (const manager of managers) {
    const url = new URL("/ws/v1/cluster/nodes?states=RUNNING", manager.url);
    if (user !== undefined) url.searchParams.set("user.name", user);
    try {
      const json: Json = JSON.parse(await fetched(url, manager.address, signal));
      return { type: "facts", nodes: readNodes(json, url.href) };
    } catch (error) {
      errors.push(`${url.href}: ${error instanceof Error ? error.message : error}`);
    }
  }
  const error = errors.length === 0 ? "no ResourceManager was named" : errors.join("; ");
  return { type: "facts", nodes: [], error };
}

/** `address`: the host's address, so that its name need not be resolved here. */
function fetched(url: URL, address: string | undefined, signal: AbortSignal): Promise<string> {
  const get = url.protocol === "https:" ? getHTTPS : getHTTP;
  const headers = { Accept: "application/json", Host: url.host };
  const host = address === undefined ? {} : { hostname: address, servername: url.hostname };
  return new Promise((resolve, reject) => {
    const options = { ...host, headers, signal, timeout: TIMEOUT_MS, agent: false };
    const request = get(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`status ${response.statusCode}`));
      });
    });
    request.on("timeout", () => request.destroy(new Error(`no answer in ${TIMEOUT_MS} ms`)));
    request.on("error", reject);
  });
}
