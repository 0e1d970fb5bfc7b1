/** Tools in modules of WebAssembly: `WASM-`. */
export const wasmRequirements = {
  'WASM-1': {
    source: 'MCP API reference, Tool Component API, SDK Integration',
    behaviour: 'a module has the metadata of a component and is called with raw arguments; they are checked before',
  },
  'WASM-2': {
    source: 'MCP 2025-11-25, Progress; MCP API reference, Streaming Responses',
    behaviour: 'a module reports progress, in order and before its answer',
  },
  'WASM-3': {
    source: 'Junctor',
    behaviour:
      'a module that loops is stopped at its deadline; a trap is tool_failed; meanwhile and then all else works',
  },
  'WASM-4': {
    source: 'Junctor',
    behaviour: 'a module reads no more than the values that it is given, and reaches no host that is not on its list',
  },
  'WASM-5': {
    source: 'Junctor',
    behaviour: 'a file that cannot be used is a problem of its backend alone',
  },
  'WASM-6': {
    source: 'RFC 8259, Numbers',
    behaviour: 'a module gets every number with its digits',
  },
} as const
