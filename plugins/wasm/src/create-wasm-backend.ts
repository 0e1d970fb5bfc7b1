import { unwatchFile, watchFile } from 'node:fs'
import { resolve } from 'node:path'
import { createBackend, type LocalBackend, type PluginContext, type Tool } from '@junctor/plugin-sdk'
import { type Backend, type Client, JunctorError, type Link, type Scope } from '@junctor/plugin-sdk/link'
import type { WasmConfig } from './config.ts'
import { stopCallsOnClose } from './stop-calls-on-close.ts'
import { type LoadedModule, loadModule } from './load-module.ts'
import { moduleTools } from './module-tools.ts'
import { createOutbound, type Outbound } from './outbound.ts'
import { createThreadPool, type StoppableCalls, type ThreadPool } from './thread-pool.ts'
import { WasmThread } from './wasm-thread.ts'

/** How often the file is looked at for changes, in milliseconds. */
const watchMs = 500

type Context = Pick<PluginContext, 'name' | 'folder' | 'log'>

/** The module in use: its tools, its threads, and the digest of its file. */
interface ModuleInUse {
  readonly local: LocalBackend
  pool: ThreadPool
  digest: string
}

/**
 * A backend whose tools are in a WebAssembly module. The module is loaded when the first link is opened; a file that
 * cannot be used is `BACKEND_REFUSED`, and is loaded again for the next link. When the file changes, its tools are
 * replaced; a change that cannot be used leaves the earlier module in use.
 *
 * Rejects when one of the hosts is not a host name or address.
 */
export async function createWasmBackend(options: WasmConfig, context: Context): Promise<Backend> {
  return new WasmBackend(options, context, await createOutbound(options.hosts))
}

class WasmBackend implements Backend {
  readonly name: string
  readonly correlates = true
  readonly #options: WasmConfig
  readonly #context: Context
  readonly #path: string
  readonly #outbound: Outbound
  readonly #stoppable: StoppableCalls = new Map()
  readonly #changed = (): void => this.#reloadLater()
  #loading: Promise<ModuleInUse> | undefined
  #reloading = Promise.resolve()
  #closed = false

  constructor(options: WasmConfig, context: Context, outbound: Outbound) {
    this.name = context.name
    this.#options = options
    this.#context = context
    this.#path = resolve(context.folder, options.wasm)
    this.#outbound = outbound
  }

  async open(scope: Scope, client: Client, signal: AbortSignal): Promise<Link> {
    if (this.#closed) throw new JunctorError('CLOSED', `Backend "${this.name}" is closed`)
    const { local } = await (this.#loading ??= this.#load())
    return stopCallsOnClose(await local.open(scope, client, signal), this.#stoppable)
  }

  async close(): Promise<void> {
    this.#closed = true
    unwatchFile(this.#path, this.#changed)
    const used = await this.#loading?.catch(() => undefined)
    await this.#reloading
    await used?.local.close()
    await used?.pool.close()
    await this.#outbound.close()
  }

  async #load(): Promise<ModuleInUse> {
    // Before the file is read, so that no change after that is missed.
    watchFile(this.#path, { interval: watchMs, persistent: false }, this.#changed)
    try {
      const loaded = await loadModule(this.#path, this.#options)
      if (loaded.kind !== 'loaded') throw new Error(loaded.kind === 'problem' ? loaded.problem : loaded.kind)
      const version = loaded.tools[0]?.['version']
      const info = { name: this.name, version: typeof version === 'string' ? version : '0.0.0' }
      const { made: local, pool } = this.#use(loaded, (tools) => createBackend({ ...this.#context, info, tools }))
      return { local, pool, digest: loaded.digest }
    } catch (error) {
      // The next link tries again.
      this.#loading = undefined
      unwatchFile(this.#path, this.#changed)
      const problem = error instanceof Error ? error.message : String(error)
      throw new JunctorError('BACKEND_REFUSED', `The module ${this.#path} cannot be used: ${problem}`, { cause: error })
    }
  }

  #reloadLater(): void {
    this.#reloading = this.#reloading
      .then(() => this.#reload())
      .catch((error: unknown) => {
        const path = this.#path
        this.#context.log.warn('the module has changed and cannot be used; the earlier one stays', { path, error })
      })
  }

  async #reload(): Promise<void> {
    const used = await this.#loading
    if (used === undefined || this.#closed) return
    const loaded = await loadModule(this.#path, this.#options, used.digest)
    if (loaded.kind === 'unchanged') return
    if (loaded.kind === 'problem') throw new Error(loaded.problem)
    const { pool } = this.#use(loaded, (tools) => used.local.replace({ tools }))
    // Calls of the earlier module are answered by it.
    used.pool.drain()
    used.pool = pool
    used.digest = loaded.digest
    this.#context.log.info('the module has changed', { path: this.#path, tools: loaded.tools.length })
  }

  /**
   * Starts the threads of a module, and passes its tools to `make`. The threads end if that fails.
   *
   * @throws Error when a tool cannot be used
   */
  #use<Made>(
    { thread, start, tools }: LoadedModule & { readonly kind: 'loaded' },
    make: (tools: readonly Tool[]) => Made,
  ): { readonly made: Made; readonly pool: ThreadPool } {
    const { threads } = this.#options
    const parts = { perTenant: threads, startThread: () => new WasmThread(start), stoppable: this.#stoppable }
    const pool = createThreadPool(thread, parts)
    try {
      return { made: make(moduleTools(tools, { pool, outbound: this.#outbound, log: this.#context.log })), pool }
    } catch (error) {
      void pool.close()
      throw error
    }
  }
}
