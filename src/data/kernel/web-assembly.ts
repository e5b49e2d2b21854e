import { InputError } from "../../base/input-error.ts";

/** What of WebAssembly is used here: Node's types have none of it. */
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

/** InputError where a flag of Node's, such as `--jitless`, takes WebAssembly away. */
export function webAssembly(): WebAssemblyApi {
  if (typeof WebAssembly === "undefined") throw noSimd();
  return WebAssembly;
}

export const noSimd = (): InputError =>
  new InputError(
    "missing-capability",
    `node ${process.version}`,
    "expected WebAssembly with SIMD: run node without flags that turn it off, such as --jitless",
  );
