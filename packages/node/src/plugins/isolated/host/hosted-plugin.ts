import { silentLog, emitNothing, readData } from '@junctor/contracts'
import type { Handler, Outcome } from '@junctor/exchange'
import type { PipeFabric } from '@junctor/fabric/pipe'
import { hostBackend } from '@junctor/gateway/hosting'
import { type JsonObject, type JsonValue, payloadOf } from '@junctor/jsonrpc'
import { JunctorError } from '@junctor/protocol'
import type { Backend, Plugin } from '@junctor/plugin-sdk/link'
import * as z from 'zod'
import { errorOf } from '@junctor/primitives'
import { checkedBackend } from '../../checked-backend.ts'
import { importPlugin, loadFault } from '../../import-plugin.ts'
import { type PluginFault, schemaFault } from '../../plugin-fault.ts'
import { recognisePlugin } from '../../recognise-plugin.ts'
import { type BackendFacts, createParamsSchema, type CreateParams, pluginRequests } from '../plugin-requests.ts'
import { createHostedContext } from './hosted-context.ts'

/** The module of the plugin, and the pipe to the node. `packageName`: the name of its package, if it comes from one. */
export interface HostedPluginParts {
  readonly file: string
  readonly packageName: string | undefined
  readonly calls: PipeFabric
}

/** The plugin of this process. */
export class HostedPlugin {
  readonly #parts: HostedPluginParts
  #plugin: Plugin | undefined
  #backend: Backend | undefined

  constructor(parts: HostedPluginParts) {
    this.#parts = parts
  }

  /** Answers `pluginRequests`. */
  readonly handler: Handler = async (request): Promise<Outcome> => {
    const result = await this.#answer(request.method, request.params?.value())
    return { kind: 'complete', result: payloadOf(result) }
  }

  /** The warnings of the backend now. Empty: it has none, or is not made yet. */
  warnings(): readonly string[] {
    return this.#backend?.warnings?.() ?? []
  }

  async close(): Promise<void> {
    await this.#backend?.close()
  }

  async #answer(method: string, body: unknown): Promise<JsonValue> {
    if (method === pluginRequests.load) return this.#load()
    if (method === pluginRequests.check) return this.#check(body as readonly JsonValue[])
    if (method === pluginRequests.drain) return this.#drain()
    const params = readData(createParamsSchema, body)
    if (params.kind === 'unreadable') throw new JunctorError('BUG', params.problem)
    return this.#create(params.value)
  }

  async #load(): Promise<JsonValue> {
    const { file, packageName } = this.#parts
    const imported = await importPlugin(file, undefined)
    if (imported.kind === 'failed') return faultData(imported)
    try {
      const found = recognisePlugin(imported.exports, packageName)
      if (found.kind === 'failed') return faultData(found)
      this.#plugin = found.plugin
      return { kind: 'plugin', name: found.plugin.name, schema: schemaOf(found.plugin) }
    } catch (error) {
      return faultData(loadFault(file, error))
    }
  }

  #check(values: readonly JsonValue[]): JsonValue {
    try {
      return { kind: 'checked', issues: values.map((value) => this.#issuesOf(value)) }
    } catch (error) {
      return faultData(schemaFault(`a plugin whose schema fails with: ${errorOf(error).message}`))
    }
  }

  #issuesOf(value: JsonValue): JsonValue {
    const { error } = z.safeParse(this.#loaded.config, value)
    // Issues may hold functions, and the values of secrets: only what describes the problem goes back.
    const text = JSON.stringify(error?.issues ?? [], (key, one: unknown) => (key === 'input' ? undefined : one))
    return JSON.parse(text) as JsonValue
  }

  async #drain(): Promise<JsonValue> {
    await this.#backend?.drain?.()
    return null
  }

  async #create({ name, folder, site, options }: CreateParams): Promise<JsonValue> {
    const { calls } = this.#parts
    try {
      const parsed = z.parse(this.#loaded.config, options)
      const context = createHostedContext({ name, folder, site }, calls)
      const made = checkedBackend(await this.#loaded.create(parsed, context))
      this.#backend = made
      const parts = { fabric: calls, log: silentLog, emit: emitNothing, unreadable: silent, changed: silent }
      await hostBackend({ backend: renamed(made, name), maxLinks: Infinity }, parts)
      return { kind: 'created', facts: factsOf(made) }
    } catch (error) {
      return { kind: 'failed', message: errorOf(error).message }
    }
  }

  get #loaded(): Plugin {
    if (this.#plugin === undefined) throw new JunctorError('BUG', 'expected the plugin to be loaded first')
    return this.#plugin
  }
}

function factsOf({ correlates, isPersonal, takesCallerToken, followsEra, methods, changesAlone }: Backend): JsonObject {
  const facts = { correlates, isPersonal, takesCallerToken, followsEra, methods, changesAlone }
  return facts satisfies Record<keyof BackendFacts, unknown>
}

/** The node reports what happens to links. */
function silent(): void {}

function faultData({ kind, got, expected, next }: PluginFault): JsonValue {
  return { kind, got, expected, next }
}

/** The form of the options, for the words and examples of problems. A schema that fails is found when it is used. */
function schemaOf({ config }: Plugin): JsonValue {
  try {
    const schema = z.toJSONSchema(config, { io: 'input', unrepresentable: 'any', cycles: 'ref' })
    return JSON.parse(JSON.stringify(schema)) as JsonValue
  } catch {
    return {}
  }
}

/** Links are requested by the name in the configuration, whatever the backend calls itself. */
function renamed(backend: Backend, name: string): Backend {
  const { correlates } = backend
  return {
    name,
    correlates,
    open: (scope, client, signal) => backend.open(scope, client, signal),
    close: () => backend.close(),
  }
}
