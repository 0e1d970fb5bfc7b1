import { errorOutcome } from '../ledger/outcome.ts'
import { Unanswered } from './fetch-anywhere.ts'
import { post, responseOf } from './post.ts'
import type { SessionHeaders } from './raw-session.ts'
import type { ClientOptions } from './storm-client.ts'

/** Opens a session of JSON-RPC 3.0 with an agreed extension. Rejects with `Unanswered`. */
export async function openAgreedSession(options: ClientOptions, extension: 'abort' | 'async'): Promise<SessionHeaders> {
  const message = { jsonrpc: '3.0', id: 'agree', method: 'rpc.extensions', params: { extensions: [extension] } }
  const opened = await post(options, message)
  const { error } = responseOf(opened, 'agree')
  if (error !== undefined) throw new Unanswered(errorOutcome(error))
  return { 'mcp-session-id': opened.session }
}
