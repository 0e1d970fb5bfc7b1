import type { JsonObject } from '@junctor/jsonrpc'
import type { Call } from '../ledger/attempt.ts'
import { errorOutcome, type Outcome } from '../ledger/outcome.ts'
import { callMessage } from './call-message.ts'
import { outcomeOfRejection, Unanswered } from './fetch-anywhere.ts'
import { outcomeOf } from './http-3-client.ts'
import { beforeCall } from './official-client.ts'
import { post, responseOf } from './post.ts'
import { endRawSession } from './raw-session.ts'
import type { ClientOptions, StormClient } from './storm-client.ts'
import { readStream, streamMessage } from './streamed-call.ts'

type Headers = Readonly<Record<string, string>>

/**
 * A client of JSON-RPC 3.0 in a session, which it needs to cancel: calls stream, or are cancelled once they run, at
 * whichever gateway, and are told so.
 */
export function createStreamingClient(options: ClientOptions): StormClient {
  const { canary } = options
  const strays: string[] = []
  let opening: Promise<Headers> | undefined

  const open = async (): Promise<Headers> => {
    const message = { jsonrpc: '3.0', id: 'agree', method: 'rpc.extensions', params: { extensions: ['abort'] } }
    const opened = await post(options, message)
    const { error } = responseOf(opened, 'agree')
    if (error !== undefined) throw new Unanswered(errorOutcome(error))
    return { 'mcp-session-id': opened.session }
  }

  const send = async (call: Call, headers: Headers): Promise<Outcome> => {
    if (call.tool === 'stream') {
      const read = readStream(call, (await post(options, streamMessage(call), headers)).messages)
      strays.push(...read.strays)
      return read.outcome
    }
    const message = callMessage('3.0', call, { _meta: { progressToken: call.id } })
    const posted = await post(options, message, headers, ({ method, params }) => {
      if (method !== 'notifications/progress') return
      const { progressToken, message: text } = params as { progressToken?: string; message?: string }
      if (progressToken !== call.id || text !== call.id) strays.push(`progress of "${text}" for ${call.id}`)
      // Now it is known to run.
      if (call.tool === 'abort') cancel(call, headers)
    })
    return outcomeOf(responseOf(posted, call.id))
  }

  const cancel = ({ id }: Call, headers: Headers): void => {
    const params: JsonObject = { stream: id, abort: true }
    // Where that does not arrive, the call ends at its deadline.
    post(options, { jsonrpc: '3.0', method: 'request.cancel', params }, headers).catch(() => {})
  }

  const attempt = async (call: Call): Promise<Outcome> => {
    opening ??= open()
    const mine = opening
    let headers: Headers
    try {
      headers = await mine
    } catch (error) {
      if (opening === mine) opening = undefined
      return beforeCall(outcomeOfRejection(error, () => ({ kind: 'refused', what: String(error) })))
    }
    try {
      return await send(call, headers)
    } catch (error) {
      const outcome = outcomeOfRejection(error, () => ({ kind: 'silent', what: String(error) }))
      if (outcome.kind === 'error' && outcome.reason === 'session_unknown' && opening === mine) opening = undefined
      return outcome
    }
  }

  return {
    kind: 'streaming',
    canary,
    strays,
    attempt: async (call) => ({ outcome: await attempt(call) }),
    async close() {
      const headers = await opening?.catch(() => undefined)
      if (headers !== undefined) await endRawSession(options, headers)
    },
  }
}
