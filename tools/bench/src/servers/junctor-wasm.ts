import { wasmPlugin } from '@junctor/plugin-wasm'
import { buildWasmSample } from './build-wasm.ts'
import { serveJunctor } from './serve-junctor.ts'

// Junctor with the configuration in the first argument, in which `sample` is the module that is built for it.

const [text = '{}'] = process.argv.slice(2)
const path = JSON.stringify(buildWasmSample())
await serveJunctor(text.replace('"sample"', path), [wasmPlugin])
