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

/** Undefined where the machine or a flag of Node does not allow it. */
export const webAssembly: WebAssemblyApi | undefined =
  typeof WebAssembly === "undefined" ? undefined : WebAssembly;
