import { InputError } from "../../base/input-error.ts";

/** The part of WebAssembly used here, which Node's types lack. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Memory: new (descriptor: {
    readonly initial: number;
    readonly maximum: number;
  }) => { readonly buffer: ArrayBuffer; grow(pages: number): number };
  readonly Instance: new <Exports>(
    module: object,
    imports: Readonly<Record<string, object>>,
  ) => { readonly exports: Exports };
  validate(bytes: Uint8Array): boolean;
}

declare const WebAssembly: WebAssemblyApi | undefined;

/** Throws an InputError if a flag of Node's, such as `--jitless`, disables WebAssembly. */
export function webAssembly(): WebAssemblyApi {
  if (typeof WebAssembly === "undefined") {
    throw lack("run node without flags that turn it off, such as --jitless");
  }
  return WebAssembly;
}

/** Throws an InputError if the processor lacks the instructions that the module needs. */
export function compileModule(bytes: Uint8Array): object {
  const { Module, validate } = webAssembly();
  if (!validate(bytes)) {
    throw lack("run node on a processor that has SSE4.1 (x64), or on any arm64 processor");
  }
  return new Module(bytes);
}

const lack = (cure: string): InputError =>
  new InputError(
    "missing-capability",
    `node ${process.version} on ${process.arch}`,
    `expected WebAssembly with SIMD: ${cure}`,
  );
