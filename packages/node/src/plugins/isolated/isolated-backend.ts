import { setTimeout as after } from 'node:timers/promises'
import { type Backend, readData } from '@junctor/contracts'
import { afterFailure, type Attempts, noAttempts, remoteBackend } from '@junctor/gateway/hosting'
import type { JsonValue } from '@junctor/jsonrpc'
import type { PluginContext } from '@junctor/plugin-sdk'
import { JunctorError } from '@junctor/protocol'
import { refusedIsolation } from '../../backends/refused-isolation.ts'
import type { IsolatedProcess } from './is-isolated.ts'
import { createPluginDuties } from './plugin-duties.ts'
import {
  askProcess,
  controls,
  createdSchema,
  drainedSchema,
  loadedSchema,
  pluginRequests,
  pluginService,
  storeService,
  warningsSchema,
} from './plugin-requests.ts'
import { type PluginProcess, startPluginProcess } from './start-plugin-process.ts'
import { StoredShare } from './stored-share.ts'

/** The module of a plugin that runs in a process of its own. */
export interface IsolatedModule {
  /** Absolute. */
  readonly file: string
  /** The name that the plugin must have. Default: any. */
  readonly packageName: string | undefined
}

/**
 * Makes the backend of a plugin in a process of its own. There is one process for each backend, in which the plugin runs
 * as it would in the node, with links by scope. When the process is gone, the next open starts it again, after a pause
 * that grows with each failure.
 *
 * A plugin that cannot make its backend does not fail the node: the backend is down, with the plugin's message, and is
 * tried again as any other.
 */
export async function createIsolatedBackend(
  module: IsolatedModule,
  process: IsolatedProcess,
  options: unknown,
  context: PluginContext,
): Promise<Backend> {
  const runs = new PluginRuns(module, process, options, context)
  try {
    await runs.running(new AbortController().signal)
  } catch (error) {
    context.log.warn('the process of a plugin did not start; it is tried again when it is used', { error })
  }
  return {
    name: context.name,
    get correlates() {
      return runs.known?.correlates ?? false
    },
    get isPersonal() {
      return runs.known?.isPersonal ?? false
    },
    get takesCallerToken() {
      return runs.known?.takesCallerToken ?? false
    },
    get followsEra() {
      return runs.known?.followsEra ?? false
    },
    get methods() {
      return runs.known?.methods ?? noMethods
    },
    get changesAlone() {
      return runs.known?.changesAlone ?? false
    },
    warnings: () => runs.warnings,
    async open(scope, client, signal) {
      const running = await runs.running(signal)
      // Before its first process could make it, nobody knew.
      const refused = running.isPersonal === true ? refusedIsolation(process.isolation) : undefined
      if (refused !== undefined) throw refused
      return running.open(scope, client, signal)
    },
    drain: () => runs.drain(),
    close: () => runs.close(),
  }
}

const noMethods: readonly string[] = []
const noWarnings: readonly string[] = []

/** The most warnings of a process that are kept, and the longest one in characters: it may be faulty. */
const mostWarnings = 100
const longestWarning = 1_000

/**
 * How long a module may take to load, and then a plugin to make its backend, in milliseconds. Longer than a loop takes to be
 * found, so that the reason is known.
 */
const startMs = 15_000

/** How long the node waits at most, in milliseconds. Usually it waits less: for its own grace period. */
const drainMs = 60_000

/** A request waits for the pause before the next start when it ends within this time, in milliseconds. */
const shortPauseMs = 1_000

/** The processes of one backend, one after the other. */
class PluginRuns {
  /** The backend of the last process that could make it: what it is does not change while another starts. */
  known: Backend | undefined = undefined
  /** Those that the running process has reported last. */
  warnings: readonly string[] = noWarnings
  readonly #module: IsolatedModule
  readonly #process: IsolatedProcess
  readonly #options: unknown
  readonly #context: PluginContext
  readonly #stored = new StoredShare()
  #attempts: Attempts = noAttempts
  #last: PluginProcess | undefined
  #starting: Promise<Backend> | undefined
  #isClosed = false

  constructor(module: IsolatedModule, process: IsolatedProcess, options: unknown, context: PluginContext) {
    this.#module = module
    this.#process = process
    this.#options = options
    this.#context = context
  }

  /** The backend of the running process, which is started if there is none. Rejects when it cannot be started now. */
  async running(signal: AbortSignal): Promise<Backend> {
    const { name } = this.#context
    const pauseMs = this.#starting === undefined ? this.#attempts.notBefore - performance.now() : 0
    if (pauseMs > shortPauseMs) {
      const seconds = Math.ceil(pauseMs / 1_000)
      throw new JunctorError('BACKEND_UNREACHABLE', `The process of ${name} is started again in ${seconds} s`)
    }
    if (pauseMs > 0) await after(pauseMs, undefined, { signal })
    if (this.#isClosed) throw new JunctorError('CLOSED', `Backend "${name}" is closed`)
    this.#starting ??= this.#start()
    return this.#starting
  }

  /** Lets the plugin finish what it does besides requests, if its process runs. Rejects with its error. */
  async drain(): Promise<void> {
    const process = this.#last
    if (this.known === undefined || process === undefined || process.reason !== undefined) return
    const question = { backend: this.#context.name, service: pluginService, withinMs: drainMs }
    await askProcess(process.calls, { ...question, method: pluginRequests.drain, body: null, answer: drainedSchema })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#last?.end()
  }

  async #start(): Promise<Backend> {
    const { name, folder, log, processes: guard } = this.#context
    const duties = createPluginDuties(this.#context, this.#stored)
    const process = startPluginProcess({
      ...this.#module,
      ...this.#process,
      backend: name,
      folder,
      guard,
      log,
      onControl: (control) => (control.kind === controls.warnings ? this.#warn(control.body) : duties.take(control)),
    })
    this.#last = process
    const gone = this.#follow(process, performance.now())
    try {
      await process.calls.serve(storeService, duties.store)
      const local = await Promise.race([this.#create(process), gone])
      const lost = (): Error => process.reason ?? new JunctorError('BACKEND_EXITED', `Backend "${name}" has ended`)
      return (this.known = remoteBackend(local, process.calls, { error: lost, details: {} }))
    } catch (error) {
      await process.end()
      throw error
    }
  }

  /** Rejects when the process is gone. */
  async #follow(process: PluginProcess, startedAt: number): Promise<never> {
    const error = await process.ended
    this.#starting = undefined
    this.warnings = noWarnings
    const now = performance.now()
    this.#attempts = afterFailure(this.#attempts, now, now - startedAt, Math.random())
    throw error
  }

  #warn(body: unknown): void {
    const read = readData(warningsSchema, body)
    if (read.kind !== 'read') return
    this.warnings = read.value.slice(0, mostWarnings).map((warning) => warning.slice(0, longestWarning))
  }

  /** What the node knows of the backend that the plugin has made. */
  async #create({ calls }: PluginProcess): Promise<Backend> {
    const { name, folder, site } = this.#context
    const question = { backend: name, service: pluginService, withinMs: startMs }
    const load = { ...question, method: pluginRequests.load, body: null, answer: loadedSchema }
    const loaded = await askProcess(calls, load)
    if (loaded.kind === 'failed') {
      throw new JunctorError('BACKEND_REFUSED', `Expected ${loaded.expected}, got ${loaded.got}`)
    }
    const { oauthPaths, publicUrl } = site
    const shown = { oauthPaths: { ...oauthPaths }, ...(publicUrl !== undefined && { publicUrl }) }
    const body = { name, folder, site: shown, options: this.#options as JsonValue }
    const created = await askProcess(calls, { ...question, method: pluginRequests.create, body, answer: createdSchema })
    if (created.kind === 'failed') throw new JunctorError('BACKEND_REFUSED', created.message)
    return { name, ...created.facts, open: unopened, close: async () => {} }
  }
}

/** Links are those of the process. */
function unopened(): Promise<never> {
  return Promise.reject(new JunctorError('BUG', 'expected a link of the process'))
}
