import type { Emit, Log, Store, Stored } from '@junctor/contracts'
import type { PipeFabric } from '@junctor/fabric/pipe'
import { isJsonObject, type JsonObject, type JsonValue } from '@junctor/jsonrpc'
import { JunctorError } from '@junctor/protocol'
import type { PluginContext } from '@junctor/plugin-sdk'
import { createCounter } from '@junctor/plugin-sdk/link'
import { createLogBudget } from '@junctor/transport-stdio/back'
import { inspect } from 'node:util'
import * as z from 'zod'
import { askProcess, controls, storeService } from '../plugin-requests.ts'

/** How long the node may take to read or write a record, in milliseconds. */
const storeMs = 30_000

/** What a plugin receives in a process of its own: all of it is the node's, over the pipe. */
export function createHostedContext(
  { name, folder, site }: Pick<PluginContext, 'name' | 'folder' | 'site'>,
  calls: PipeFabric,
): PluginContext {
  const emit: Emit = (event) => calls.control({ kind: controls.event, body: event as unknown as JsonObject })
  return {
    name,
    folder,
    site,
    servePages: notHere,
    issueTokens: notHere,
    showAccounts: notHere,
    seal: { close: notHere, open: notHere },
    openCallerToken: notHere,
    log: createHostedLog(calls),
    emit,
    counter: (counter) => createCounter(name, counter, emit),
    processes: {
      child() {
        throw new JunctorError('BACKEND_REFUSED', 'A plugin in a process of its own starts no processes')
      },
    },
    store: (store, ttlMs) => createHostedStore({ name, calls, store, ttlMs }),
  }
}

function notHere(): never {
  throw new JunctorError(
    'BACKEND_REFUSED',
    'A plugin in a process of its own serves no pages, issues no tokens, shows no accounts, seals nothing and opens no tokens',
  )
}

/** The budget of the node's side: a plugin that logs without end must not fill the pipe either. */
function createHostedLog(calls: PipeFabric): Log {
  const budget = createLogBudget(() => performance.now())
  const send =
    (level: keyof Log): Log[keyof Log] =>
    (message, fields) => {
      const suppressed = budget.spend()
      if (suppressed === undefined) return
      const shown = { ...printable(fields), ...suppressed }
      calls.control({ kind: controls.log, body: { level, message, fields: shown } })
    }
  return { debug: send('debug'), info: send('info'), warn: send('warn'), error: send('error') }
}

/** Fields may be anything: errors, cycles, values that cannot be read. */
function printable(fields: Readonly<Record<string, unknown>> | undefined): JsonObject {
  try {
    const text = JSON.stringify(fields ?? {}, (_key, value: unknown) =>
      value instanceof Error ? inspect(value) : value,
    )
    const read = JSON.parse(text) as JsonValue
    return isJsonObject(read) ? read : {}
  } catch {
    return { fields: inspect(fields) }
  }
}

interface HostedStoreParts {
  readonly name: string
  readonly calls: PipeFabric
  readonly store: string
  readonly ttlMs: number
}

const storedSchema = z.object({ value: z.json(), revision: z.number() }).nullable()

function createHostedStore<T extends JsonValue>({ name, calls, store, ttlMs }: HostedStoreParts): Store<T> {
  const ask = <Value>(method: string, answer: z.ZodType<Value>, params: JsonObject): Promise<Value> => {
    const body = { store, ttlMs, ...params }
    return askProcess(calls, { backend: name, service: storeService, method, body, answer, withinMs: storeMs })
  }
  return {
    async get(key) {
      const stored = await ask('get', storedSchema, { key })
      return stored === null ? undefined : (stored as Stored<T>)
    },
    put: (key, value, revision) =>
      ask('put', z.union([z.number(), z.literal('conflict')]), {
        key,
        value,
        ...(revision !== undefined && { revision }),
      }),
    async delete(key) {
      await ask('delete', z.null(), { key })
    },
    keys: (prefix) => ask('keys', z.array(z.string()), { key: prefix }),
  }
}
