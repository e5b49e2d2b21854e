import { isList, isObject, type Json, type JsonObject } from "../base/json.ts";
import type { Note } from "../history/model.ts";

/** What an event or an object in it may hold: what is read, and by reason what is set aside. */
export interface Contents {
  readonly used: readonly string[];
  /** `*` stands for all others: names that users make up. */
  readonly aside: Readonly<Record<string, readonly string[]>>;
}

/** All that the logs of a format can say. */
export interface Inventory {
  /** By the event's kind; a text is the reason why the whole event is set aside. */
  readonly events: ReadonlyMap<string, Contents | string>;
  /** By the key that leads to them: objects of which something is read. */
  readonly objects: ReadonlyMap<string, Contents>;
}

/** The names in a list of them, separated by commas. */
export const names = (list: string): readonly string[] => list.split(/,\s*/);

/** As many events of a kind are looked through: their writer writes all alike. */
const SAMPLE = 20;
/** The most names that are told, and that are kept: a log of noise has no end of them. */
const NAMES_MAX = 5;
const FIELDS_MAX = 1_000;

/** Counts what a log holds that its inventory does not have. */
export class Unlisted {
  readonly #inventory: Inventory;
  readonly #sampled = new Map<string, number>();
  readonly #kinds = new Map<string, number>();
  readonly #fields = new Set<string>();

  constructor(inventory: Inventory) {
    this.#inventory = inventory;
  }

  /** Whether another event of this kind is worth a look. */
  wants(kind: string): boolean {
    return (this.#sampled.get(kind) ?? 0) < SAMPLE;
  }

  /** Counts an event by its kind alone. */
  count(kind: string): void {
    if (kind === "" || this.#inventory.events.has(kind)) return;
    if (this.#kinds.size >= FIELDS_MAX && !this.#kinds.has(kind)) return;
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
  }

  /** Looks for fields that the inventory lacks; `except`: the field that has the kind. */
  look(kind: string, event: JsonObject, except = ""): void {
    const seen = this.#sampled.get(kind) ?? 0;
    this.#sampled.set(kind, seen + 1);
    const contents = this.#inventory.events.get(kind);
    if (seen >= SAMPLE || contents === undefined || typeof contents === "string") return;
    this.#lookInto(event, contents, kind, except);
  }

  #lookInto(value: JsonObject, contents: Contents, name: string, except = ""): void {
    const aside = new Set(Object.values(contents.aside).flat());
    if (this.#fields.size >= FIELDS_MAX || aside.has("*")) return;
    for (const [key, inner] of Object.entries(value)) {
      if (key === except || aside.has(key)) continue;
      if (!contents.used.includes(key)) this.#fields.add(`${name}: ${key}`);
      else this.#lookInside(inner, key);
    }
  }

  #lookInside(value: Json, key: string): void {
    const contents = this.#inventory.objects.get(key);
    if (contents === undefined) return;
    for (const one of isList(value) ? value : [value]) {
      if (isObject(one)) this.#lookInto(one, contents, key);
    }
  }

  get notes(): readonly Note[] {
    const kinds = [...this.#kinds].map(([kind, count]) => `${kind}: ${count}`);
    const [first, another] = kinds;
    const many = `events of ${kinds.length} unknown kinds: `;
    return [
      ...(first === undefined
        ? []
        : [another === undefined ? ONE_KIND + first : many + few(kinds)]),
      ...(this.#fields.size === 0 ? [] : [`fields of unknown names: ${few([...this.#fields])}`]),
    ].map((text) => ({ kind: "unknown", text }));
  }
}

const ONE_KIND = "events of the unknown kind ";

function few(found: readonly string[]): string {
  const more = found.length > NAMES_MAX ? ` and ${found.length - NAMES_MAX} more` : "";
  return found.slice(0, NAMES_MAX).join(", ") + more;
}
