import { buildWasmSample } from '@junctor/testkit/build-wasm-sample'
import { wasmPlugin } from '@junctor/plugin-wasm'
import { serveJunctor } from './serve-junctor.ts'

// Junctor with the configuration in the first argument, in which `sample` is the module that is built once.

const [text = '{}'] = process.argv.slice(2)
const path = JSON.stringify(await buildWasmSample())
await serveJunctor(text.replace('"sample"', path), [wasmPlugin])
