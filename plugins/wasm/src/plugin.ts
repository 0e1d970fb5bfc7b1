import { definePlugin, type Plugin } from '@junctor/plugin-sdk'
import { config } from './config.ts'

/** `{ wasm: ./tool.wasm }`: the tools of a WebAssembly module, which can do nothing but what it is given. */
export const wasmPlugin: Plugin<typeof config> = definePlugin({
  name: '@junctor/plugin-wasm',
  key: 'wasm',
  config,
  async create(options, context) {
    const { createWasmBackend } = await import('./create-wasm-backend.ts')
    return createWasmBackend(options, context)
  },
})
