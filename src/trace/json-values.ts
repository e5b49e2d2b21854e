import { isList, isObject, type Json, type JsonObject } from "../base/json.ts";

/** Lenient access to JSON of other systems: what is absent or of another type is undefined. */
export const objectIn = (from: JsonObject, key: string): JsonObject | undefined => {
  const value = from[key];
  return value !== undefined && isObject(value) ? value : undefined;
};

export const listIn = (from: JsonObject, key: string): readonly Json[] => {
  const value = from[key];
  return value !== undefined && isList(value) ? value : [];
};

export const textIn = (from: JsonObject, key: string): string | undefined => {
  const value = from[key];
  return typeof value === "string" ? value : undefined;
};

/** A number, or a string that holds one. */
export const numberOf = (value: Json | undefined): number | undefined => {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  return typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : undefined;
};

export const numberIn = (from: JsonObject, key: string): number | undefined => numberOf(from[key]);

export const objectsIn = (from: JsonObject, key: string): readonly JsonObject[] =>
  listIn(from, key).filter(isObject);
