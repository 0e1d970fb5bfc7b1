import { type Control, readData, type TelemetryEvent } from '@junctor/contracts'
import type { Handler, Outcome } from '@junctor/exchange'
import { isJsonObject, type JsonValue, payloadOf } from '@junctor/jsonrpc'
import { JunctorError } from '@junctor/protocol'
import type { PluginContext } from '@junctor/plugin-sdk'
import { createLogBudget } from '@junctor/transport-stdio/back'
import * as z from 'zod'
import { storeParamsSchema } from './plugin-requests.ts'
import type { StoredShare, StoreRefusal } from './stored-share.ts'

/** What the process of a plugin may use of the node. */
export type PluginDuties = {
  /** Takes a message of the process: its log, its events, its failures. */
  readonly take: (control: Control) => void
  /** Serves the backend's records. */
  readonly store: Handler
}

const levels = ['debug', 'info', 'warn', 'error'] as const

/** The longest text of the process that is logged, in characters. */
const longestText = 8 * 1024

/** What a counter of the process has counted. */
const countedSchema = z.object({
  kind: z.literal('plugin_counted'),
  counter: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/),
  value: z.string().max(256),
  by: z.number().min(0),
})

/** The event that a process reports, if it is one that a plugin may report. */
function eventOf(backend: string, body: JsonValue): TelemetryEvent | undefined {
  const counted = countedSchema.safeParse(body)
  if (counted.success) {
    const { counter, value, by } = counted.data
    return { kind: 'plugin_counted', backend, counter, value, by }
  }
  const reason = isJsonObject(body) && body['kind'] === 'output_discarded' ? body['reason'] : undefined
  const isKnown =
    reason === 'not_a_message' || reason === 'too_long' || reason === 'not_utf8' || reason === 'late_answer'
  return isKnown ? { kind: 'output_discarded', backend, reason } : undefined
}

/**
 * Serves the process of one backend. What it sends is not trusted: it is bounded, and counts for this backend only.
 *
 * @param share what the plugin has stored, also by its earlier processes
 */
export function createPluginDuties(
  { name, log, emit, store }: Pick<PluginContext, 'name' | 'log' | 'emit' | 'store'>,
  share: StoredShare,
): PluginDuties {
  const budget = createLogBudget(() => performance.now())

  const logged = (body: JsonValue): void => {
    const suppressed = budget.spend()
    if (suppressed === undefined || !isJsonObject(body)) return
    const { level, message, fields } = body
    const known = levels.find((one) => one === level)
    if (known === undefined || typeof message !== 'string') return
    const shown = isJsonObject(fields) && JSON.stringify(fields).length <= longestText ? fields : {}
    log[known](message.slice(0, longestText), { ...shown, ...suppressed })
  }

  const failed = (body: JsonValue): void => {
    emit({ kind: 'plugin_failed', backend: name })
    const error = typeof body === 'string' ? body.slice(0, longestText) : 'unknown'
    const suppressed = budget.spend()
    if (suppressed !== undefined)
      log.error('a plugin left an uncaught error; all else goes on', { error, ...suppressed })
  }

  const happened = (body: JsonValue): void => {
    const event = eventOf(name, body)
    if (event !== undefined) emit(event)
  }

  return {
    take({ kind, body }) {
      if (kind === 'log') logged(body)
      else if (kind === 'failure') failed(body)
      else if (kind === 'event') happened(body)
    },
    store: storeHandler({ name, store }, share),
  }
}

/** Serves the records of one backend. */
function storeHandler({ name, store }: Pick<PluginContext, 'name' | 'store'>, share: StoredShare): Handler {
  return async (request): Promise<Outcome> => {
    const read = readData(storeParamsSchema, request.params?.value())
    if (read.kind === 'unreadable') throw new JunctorError('PROTOCOL_VIOLATED', `a store: ${read.problem}`)
    const { store: of, ttlMs, key, value = null, revision } = read.value
    check(name, share.open(of, ttlMs))
    const records = store<JsonValue>(of, ttlMs)
    switch (request.method) {
      case 'get': {
        const stored = await records.get(key)
        return complete(stored === undefined ? null : { value: stored.value, revision: stored.revision })
      }
      case 'put': {
        const record = { store: of, key, characters: JSON.stringify(value).length }
        check(name, share.put(record, Date.now()))
        const written = await records.put(key, value, revision)
        if (written !== 'conflict') share.written(record, Date.now())
        return complete(written)
      }
      case 'delete': {
        const isGone = share.delete(of, key)
        await records.delete(key)
        isGone()
        return complete(null)
      }
      default:
        return complete([...(await records.keys(key))])
    }
  }
}

function complete(value: JsonValue): Outcome {
  return { kind: 'complete', result: payloadOf(value) }
}

function check(name: string, refusal: StoreRefusal | undefined): void {
  if (refusal !== undefined)
    throw new JunctorError('LIMIT_REACHED', `The plugin of ${name} may not store more: ${refusal.why}`)
}
