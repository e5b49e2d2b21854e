import { isObject } from "../../base/shape.ts";

/**
 * RFC 7396: objects are merged key by key, null removes a key, and everything else, lists included,
 * replaces the old value.
 */
export function mergePatch(json: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map<string, unknown>(isObject(json) ? Object.entries(json) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  return Object.fromEntries(merged);
}
