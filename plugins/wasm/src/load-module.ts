import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { boundModule } from './bound-module.ts'
import type { WasmConfig } from './config.ts'
import { contractProblem } from './contract-problem.ts'
import { readMetadata, type ToolMetadata } from './read-answer.ts'
import type { ThreadAnswer } from './thread-messages.ts'
import { type ThreadStart, WasmThread } from './wasm-thread.ts'
import { webAssembly, type WasmModule } from './web-assembly.ts'

/** The largest file of a module, in bytes. */
const largest = 64 * 1024 * 1024
/** How long a module may take to describe its tools, in milliseconds. */
const describeMs = 5_000

/** A module that can be called, or the reason why there is none. */
export type LoadedModule =
  | {
      readonly kind: 'loaded'
      readonly start: ThreadStart
      readonly tools: readonly ToolMetadata[]
      /** The thread that the module has described its tools in. */
      readonly thread: WasmThread
      readonly digest: string
    }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'problem'; readonly problem: string }

/**
 * Reads a file, checks that it is a module of the contract, and asks it for its tools. Never rejects.
 *
 * @param known the digest of a file that need not be loaded again
 */
export async function loadModule(
  path: string,
  options: Pick<WasmConfig, 'memory' | 'output' | 'values'>,
  known?: string,
): Promise<LoadedModule> {
  try {
    const { size } = await stat(path)
    if (size > largest) return { kind: 'problem', problem: `expected a file of at most ${largest} bytes, got ${size}` }
    const bytes = await readFile(path)
    const digest = createHash('sha256').update(bytes).digest('hex')
    if (digest === known) return { kind: 'unchanged' }
    const bounded = boundModule(bytes, options.memory)
    if (bounded.kind === 'problem') return bounded
    const module = await webAssembly.compile(bounded.bytes)
    const problem = contractProblem(module)
    if (problem !== undefined) return { kind: 'problem', problem }
    return await describeTools(module, options, digest)
  } catch (error) {
    return { kind: 'problem', problem: error instanceof Error ? error.message : String(error) }
  }
}

async function describeTools(
  module: WasmModule,
  { values, output }: Pick<WasmConfig, 'output' | 'values'>,
  digest: string,
): Promise<LoadedModule> {
  const start = { module, values, output }
  const thread = new WasmThread(start)
  try {
    const answer = await describe(thread)
    if (answer.kind === 'failed') throw new Error(`the module cannot describe its tools: ${answer.reason}`)
    if (answer.json === undefined) throw new Error('the module has described no tools: it has called no "output"')
    return { kind: 'loaded', start, tools: readMetadata(answer.json), thread, digest }
  } catch (error) {
    await thread.end('the module is not used')
    throw error
  }
}

async function describe(thread: WasmThread): Promise<ThreadAnswer> {
  const timer = setTimeout(() => void thread.end(`it takes longer than ${describeMs} ms`), describeMs)
  try {
    return await thread.run({ tool: undefined, input: '' }, noListener)
  } finally {
    clearTimeout(timer)
  }
}

/** Receives nothing: the thread refuses events of a module that describes its tools. */
const noListener = {
  progress: (): void => undefined,
  log: (): void => undefined,
  piece: (): undefined => undefined,
  fetch: async (): Promise<string> => '',
}
