import type { JsonObject } from '@junctor/jsonrpc'
import { errorOutcome } from '../ledger/outcome.ts'
import { fetchAnywhere, Unanswered } from './fetch-anywhere.ts'
import { post, responseOf } from './post.ts'
import type { ClientOptions } from './storm-client.ts'

/** The headers of a session's requests. */
export type SessionHeaders = Readonly<Record<string, string>>

/** The revision of hand-written messages. */
const revision = '2025-11-25'

/** The first message of a session. */
export function initializeMessage(canary: string): JsonObject {
  const capabilities = { elicitation: { form: {} } }
  const params = { protocolVersion: revision, capabilities, clientInfo: { name: canary, version: '1' } }
  return { jsonrpc: '2.0', id: 'open', method: 'initialize', params }
}

/**
 * Opens a session of MCP with a hand-written request, and returns the headers of its requests. Rejects with {@link
 * Unanswered}.
 */
export async function openRawSession(options: ClientOptions): Promise<SessionHeaders> {
  const opened = await post(options, initializeMessage(options.canary))
  const { error } = responseOf(opened, 'open')
  if (error !== undefined) throw new Unanswered(errorOutcome(error))
  const headers = { 'mcp-session-id': opened.session, 'mcp-protocol-version': revision }
  await post(options, { jsonrpc: '2.0', method: 'notifications/initialized' }, headers)
  return headers
}

/**
 * Ends a session with a hand-written request, if it still exists. Never rejects.
 *
 * @param headers of its requests; undefined: there is no session
 */
export async function endRawSession(
  { anywhere, key }: ClientOptions,
  headers: SessionHeaders | undefined,
): Promise<void> {
  if (headers === undefined) return
  const response = await fetchAnywhere(anywhere, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${key}`, ...headers },
  }).catch(() => undefined)
  await response?.body?.cancel()
}
