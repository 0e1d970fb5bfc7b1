/** A compiled module. Threads share its code. */
export interface WasmModule {
  readonly [Symbol.toStringTag]: 'WebAssembly.Module'
}

/** One import or export of a module. */
export interface WasmMember {
  /** The module that is imported from; only in imports. */
  readonly module?: string
  readonly name: string
  readonly kind: 'function' | 'table' | 'memory' | 'global' | 'tag'
}

/** A memory. Its buffer is another one after it has grown. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer
}

/** What is used of the JavaScript interface of WebAssembly, for which Node.js has no types. */
export interface WebAssemblyApi {
  compile(bytes: Uint8Array): Promise<WasmModule>
  readonly Module: {
    imports(module: WasmModule): readonly WasmMember[]
    exports(module: WasmModule): readonly WasmMember[]
  }
  readonly Instance: new (
    module: WasmModule,
    imports: Readonly<Record<string, Readonly<Record<string, (...args: never[]) => unknown>>>>,
  ) => { readonly exports: Readonly<Record<string, unknown>> }
}

/** The WebAssembly of this Node.js. */
export const webAssembly: WebAssemblyApi = (globalThis as unknown as { readonly WebAssembly: WebAssemblyApi })
  .WebAssembly
