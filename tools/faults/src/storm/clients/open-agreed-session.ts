import { errorOutcome } from '../ledger/outcome.ts'
import { outcomeOfRejection, Unanswered } from './fetch-anywhere.ts'
import { beforeCall } from './official-client.ts'
import { post, responseOf } from './post.ts'
import { endRawSession } from './raw-session.ts'
import type { Attempted, ClientOptions } from './storm-client.ts'

type Headers = Readonly<Record<string, string>>

/** A session of JSON-RPC 3.0 in which an extension is agreed on: opened when it is needed, and again when it is over. */
export interface AgreedSession {
  /** Never rejects. */
  attempt(send: (headers: Headers) => Promise<Attempted>): Promise<Attempted>
  /** Never rejects. */
  close(): Promise<void>
}

/** Opens nothing yet. */
export function createAgreedSession(options: ClientOptions, extension: 'abort' | 'async'): AgreedSession {
  let opening: Promise<Headers> | undefined

  const open = async (): Promise<Headers> => {
    const message = { jsonrpc: '3.0', id: 'agree', method: 'rpc.extensions', params: { extensions: [extension] } }
    const opened = await post(options, message)
    const { error } = responseOf(opened, 'agree')
    if (error !== undefined) throw new Unanswered(errorOutcome(error))
    return { 'mcp-session-id': opened.session }
  }

  return {
    async attempt(send) {
      opening ??= open()
      const mine = opening
      let headers: Headers
      try {
        headers = await mine
      } catch (error) {
        if (opening === mine) opening = undefined
        return { outcome: beforeCall(outcomeOfRejection(error, () => ({ kind: 'refused', what: String(error) }))) }
      }
      try {
        return await send(headers)
      } catch (error) {
        const outcome = outcomeOfRejection(error, () => ({ kind: 'silent', what: String(error) }))
        if (outcome.kind === 'error' && outcome.reason === 'session_unknown' && opening === mine) opening = undefined
        return { outcome }
      }
    },
    close: () => endRawSession(options, opening),
  }
}
