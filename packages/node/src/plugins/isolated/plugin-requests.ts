import { type Backend, type CallFabric, type DataSchema, readData } from '@junctor/contracts'
import { jsonObjectSchema, nodeContext, nodeRequest, ownExchange } from '@junctor/gateway/hosting'
import type { JsonObject, JsonValue } from '@junctor/jsonrpc'
import type { GatewaySite } from '@junctor/plugin-sdk'
import { settlesWithin } from '@junctor/primitives'
import { JunctorError } from '@junctor/protocol'
import * as z from 'zod'
import type { PluginFault } from '../plugin-fault.ts'

/*
 * What the node and the process of a plugin request of each other, besides links. Links are those of `hostBackend`: they
 * are requested by the backend's name.
 */

/** The service of the plugin's process: its methods are `pluginRequests`. */
export const pluginService = '$plugin'

/** `load` comes first; then `check` any number of times, or `create` once, and `drain` after it. */
export const pluginRequests = { load: 'load', check: 'check', create: 'create', drain: 'drain' } as const

/** The service of the node for `PluginContext.store`: its methods are those of `Store`. */
export const storeService = '$store'

/** The messages outside requests. To the process: `ping`, `end`. To the node: the others. */
export const controls = {
  ping: 'ping',
  end: 'end',
  pong: 'pong',
  log: 'log',
  event: 'event',
  failure: 'failure',
  warnings: 'warnings',
} as const

const fault = z.object({ kind: z.literal('failed'), got: z.string(), expected: z.string(), next: z.string() })

/** The answer to `load`. `schema` is the JSON Schema of the options. */
export type Loaded = { readonly kind: 'plugin'; readonly name: string; readonly schema: JsonObject } | PluginFault

/** Reads the answer to `load`: the plugin, or what is wrong with its module. */
export const loadedSchema: DataSchema<Loaded> = z.union([
  z.object({ kind: z.literal('plugin'), name: z.string(), schema: jsonObjectSchema }),
  fault,
])

/** The answer to `check`: the issues of each value, as zod gives them, or why the schema cannot be used. */
export type Checked = { readonly kind: 'checked'; readonly issues: readonly (readonly JsonObject[])[] } | PluginFault

/** Reads the answer to `check`: a list of issues for each value, empty for a good one. */
export const checkedSchema: DataSchema<Checked> = z.union([
  z.object({ kind: z.literal('checked'), issues: z.array(z.array(jsonObjectSchema)) }),
  fault,
])

const siteSchema: z.ZodType<GatewaySite> = z.object({
  publicUrl: z.string().optional(),
  oauthPaths: z.object({
    authorize: z.string(),
    token: z.string(),
    register: z.string(),
    revoke: z.string(),
    resource: z.string(),
  }),
}) as z.ZodType<GatewaySite>

/** The params of `create`. */
export interface CreateParams {
  readonly name: string
  readonly folder: string
  readonly site: GatewaySite
  readonly options: JsonValue
}

/** Reads the params of `create`, in the process of the plugin. */
export const createParamsSchema: DataSchema<CreateParams> = z.object({
  name: z.string(),
  folder: z.string(),
  site: siteSchema,
  options: z.json(),
}) as z.ZodType<CreateParams>

/** What is known of a backend without a link, and does not change. */
export type BackendFacts = Pick<
  Backend,
  'correlates' | 'isPersonal' | 'takesCallerToken' | 'followsEra' | 'methods' | 'changesAlone'
>

/** The answer to `create`. */
export type Created =
  | { readonly kind: 'created'; readonly facts: BackendFacts }
  | { readonly kind: 'failed'; readonly message: string }

/** Reads the answer to `create`. At most 1000 methods, because the code of the plugin chooses them. */
export const createdSchema: DataSchema<Created> = z.union([
  z.object({
    kind: z.literal('created'),
    facts: z.object({
      correlates: z.boolean(),
      isPersonal: z.boolean().exactOptional(),
      takesCallerToken: z.boolean().exactOptional(),
      followsEra: z.boolean().exactOptional(),
      methods: z.array(z.string()).max(1_000).exactOptional(),
      changesAlone: z.boolean().exactOptional(),
    }),
  }),
  z.object({ kind: z.literal('failed'), message: z.string() }),
])

/** The body of `warnings`: all that the backend has now. */
export const warningsSchema: DataSchema<readonly string[]> = z.array(z.string())

/** The answer to `drain`, when the backend has finished what it does besides requests. */
export const drainedSchema: DataSchema<null> = z.null()

/** The params of the methods of `storeService`. */
export interface StoreParams {
  readonly store: string
  readonly ttlMs: number
  readonly key: string
  readonly value?: JsonValue
  readonly revision?: number
}

/** Reads the params of a store's method. Names and keys are bounded, because the code of the plugin chooses them. */
export const storeParamsSchema: DataSchema<StoreParams> = z.object({
  store: z.string().max(256),
  ttlMs: z.number().positive(),
  key: z.string().max(4_096),
  value: z.json().exactOptional(),
  revision: z.number().exactOptional(),
}) as z.ZodType<StoreParams>

/** A request to the other end of the pipe. */
export interface ProcessQuestion<Value> {
  /** The backend, for errors. */
  readonly backend: string
  readonly service: string
  readonly method: string
  readonly body: JsonValue
  readonly answer: DataSchema<Value>
  /** Timeout, in milliseconds. */
  readonly withinMs: number
}

/** Asks the other end. Rejects with `BACKEND_EXITED` when it is gone, and `BACKEND_REFUSED` when it gives no answer. */
export async function askProcess<Value>(fabric: CallFabric, question: ProcessQuestion<Value>): Promise<Value> {
  const { backend, service, method, body, answer, withinMs } = question
  const exchange = ownExchange(`${fabric.node}-0`, nodeContext)
  const asked = fabric.call({ service }, nodeRequest(method, body), exchange)
  if (!(await settlesWithin(asked, withinMs))) {
    exchange.end('deadline')
    throw new JunctorError('BACKEND_REFUSED', `The process of ${backend} has not answered "${method}" in time`)
  }
  const outcome = await asked
  if (outcome.kind !== 'complete') {
    const why = outcome.kind === 'error' ? outcome.error.message : outcome.kind
    throw new JunctorError('BACKEND_EXITED', `The process of ${backend} did not answer "${method}": ${why}`)
  }
  const read = readData(answer, outcome.result.value())
  if (read.kind === 'read') return read.value
  throw new JunctorError('PROTOCOL_VIOLATED', `The process of ${backend} answered "${method}" wrongly: ${read.problem}`)
}
