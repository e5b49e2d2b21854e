import { existsSync, readFileSync, statSync } from "node:fs";
import { homedir, tmpdir, userInfo } from "node:os";
import { join, resolve } from "node:path";
import { parseXml, XmlElement, XmlError, type XmlNode } from "@rgrove/parse-xml";
import { InputError } from "../../../base/input-error.ts";

/** A property's value and its source, for messages. */
export interface Property {
  readonly value: string;
  /** For instance `yarn.resourcemanager.hostname of /etc/hadoop/conf/yarn-site.xml`. */
  readonly from: string;
}

/** In the order in which Hadoop reads them: the later definition of a property wins. */
const FILES = ["core-site.xml", "hdfs-site.xml", "mapred-site.xml", "yarn-site.xml"];

/** The depth to which properties may refer to each other, as in Hadoop. */
const DEPTH_MAX = 20;

/** The properties in the `*-site.xml` files of a directory, read as Hadoop reads them. */
export class HadoopConf {
  /** An absolute path. */
  readonly directory: string;
  readonly #properties: ReadonlyMap<string, Property>;
  readonly #environment: NodeJS.ProcessEnv;

  private constructor(
    directory: string,
    properties: ReadonlyMap<string, Property>,
    environment: NodeJS.ProcessEnv,
  ) {
    this.directory = directory;
    this.#properties = properties;
    this.#environment = environment;
  }

  /** InputError if the directory has no `core-site.xml`, or a file that is not XML. */
  static read(directory: string, environment: NodeJS.ProcessEnv): HadoopConf {
    const whole = resolve(directory);
    if (!existsSync(join(whole, "core-site.xml"))) {
      const found = existsSync(whole) && statSync(whole).isDirectory() ? "there is none" : "none";
      const expected = "expected a directory with core-site.xml and its like";
      throw new InputError(
        "missing-file",
        `hadoop configuration ${whole}`,
        `${expected}: ${found}`,
      );
    }
    const properties = new Map<string, Property>();
    const final = new Set<string>();
    for (const name of FILES) {
      const path = join(whole, name);
      if (existsSync(path)) readInto(properties, final, path);
    }
    return new HadoopConf(whole, properties, environment);
  }

  /** The value, with references replaced. */
  find(name: string): Property | undefined {
    const property = this.#properties.get(name);
    return property && { ...property, value: this.#expanded(property.value, DEPTH_MAX) };
  }

  /** The value, or Hadoop's own default. */
  get(name: string, usual: string): Property {
    return this.find(name) ?? { value: usual, from: `${name}, by default` };
  }

  text(name: string, usual: string): string {
    return this.get(name, usual).value;
  }

  #expanded(value: string, depth: number): string {
    if (depth === 0) return value;
    return value.replace(/\$\{([^}$\s]+)\}/g, (whole, name: string) => {
      const found = this.#named(name);
      return found === undefined ? whole : this.#expanded(found, depth - 1);
    });
  }

  /** The value of a reference: an environment variable, a Java property, or another property. */
  #named(name: string): string | undefined {
    const [, variable, usual] = /^env\.(.+?)(?::?-(.*))?$/.exec(name) ?? [];
    if (variable !== undefined) return this.#environment[variable] || usual;
    return JAVA_PROPERTIES.get(name)?.() ?? this.#properties.get(name)?.value;
  }
}

const JAVA_PROPERTIES: ReadonlyMap<string, () => string> = new Map([
  ["user.name", () => userInfo().username],
  ["user.home", homedir],
  ["java.io.tmpdir", tmpdir],
]);

function readInto(properties: Map<string, Property>, final: Set<string>, path: string): void {
  for (const property of elements(configurationOf(path), "property")) {
    const name = textOf(property, "name");
    const value = textOf(property, "value");
    if (name === undefined || value === undefined || final.has(name)) continue;
    properties.set(name, { value, from: `${name} of ${path}` });
    if (textOf(property, "final") === "true") final.add(name);
  }
}

function configurationOf(path: string): XmlElement {
  try {
    const { root } = parseXml(readFileSync(path, "utf8"));
    if (root?.name === "configuration") return root;
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    const { line, column } = error;
    throw new InputError("bad-input", `${path}:${line}:${column}`, "expected XML as Hadoop's");
  }
  throw new InputError("bad-input", path, "expected <configuration>");
}

const elements = (of: XmlElement, name: string): readonly XmlElement[] =>
  of.children.filter((child: XmlNode): child is XmlElement => {
    return child instanceof XmlElement && child.name === name;
  });

const textOf = (of: XmlElement, name: string): string | undefined =>
  elements(of, name).at(-1)?.text.trim();
