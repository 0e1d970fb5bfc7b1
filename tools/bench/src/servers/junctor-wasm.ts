import { keepTicksFast } from '@junctor/command/keep-ticks-fast'
import { buildWasmSample } from '@junctor/testkit/build-wasm-sample'

// Junctor with the configuration in the first argument, in which `sample` is the module that is built once. It starts as
// the commands do.

keepTicksFast(process)
const { wasmPlugin } = await import('@junctor/plugin-wasm')
const { serveJunctor } = await import('./serve-junctor.ts')
const [text = '{}'] = process.argv.slice(2)
const path = JSON.stringify(await buildWasmSample())
await serveJunctor(text.replace('"sample"', path), [wasmPlugin])
