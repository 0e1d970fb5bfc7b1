export { wasmPlugin } from './plugin.ts'
