import { webAssembly, type WasmMember, type WasmModule } from './web-assembly.ts'

/** The name under which modules import the functions of the host. */
const hostName = 'junctor'

/** The functions of the host. `docs/guides/webassembly.md` describes each. */
const hostFunctions: ReadonlySet<string> = new Set([
  'input',
  'value',
  'fetch',
  'take',
  'output',
  'progress',
  'piece',
  'log',
])

const needed: readonly WasmMember[] = [
  { name: 'memory', kind: 'memory' },
  { name: 'describe', kind: 'function' },
  { name: 'call', kind: 'function' },
]

/** Why a module cannot be run: it imports or exports something else than it must. `undefined`: it can. */
export function contractProblem(module: WasmModule): string | undefined {
  const foreign = webAssembly.Module.imports(module).find(
    ({ module: from, name, kind }) => from !== hostName || kind !== 'function' || !hostFunctions.has(name),
  )
  if (foreign !== undefined) {
    return `the module imports ${foreign.module}.${foreign.name} (${foreign.kind}), which is not given to modules: ${advice(foreign)}`
  }
  const exported = webAssembly.Module.exports(module)
  const missing = needed.find(({ name, kind }) => !exported.some((found) => found.name === name && found.kind === kind))
  return missing && `the module does not export "${missing.name}" (${missing.kind})`
}

function advice({ module = '' }: WasmMember): string {
  if (module.startsWith('wasi')) return 'build it without WASI'
  if (module === 'env') return 'build it without a runtime that the host must provide'
  return `expected functions of "${hostName}" (${[...hostFunctions].join(', ')})`
}
