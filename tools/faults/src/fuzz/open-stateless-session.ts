import type { JsonObject } from '@junctor/jsonrpc'
import type { OpenOptions } from './open-http-session.ts'
import { createSession, recordMessage, type Opening, type OpenSession } from './open-session.ts'
import { postAt } from './post-at.ts'

const version = '2026-07-28'
const prefix = 'io.modelcontextprotocol/'

const meta = {
  [`${prefix}protocolVersion`]: version,
  [`${prefix}clientInfo`]: { name: 'fuzz', version: '1' },
  [`${prefix}clientCapabilities`]: {},
}

/** A client of 2026-07-28, which opens no session: each of its requests stands for itself, at any node. */
export function openStatelessSession({ client, kind, node, urls, key }: OpenOptions): Opening {
  const began = performance.now()
  const id = `stateless-${client}-${Math.round(began)}`
  const session = createSession({ id, client, kind, node, began })
  const onMessage = (received: JsonObject): void => recordMessage(session, received)
  const opened: OpenSession = {
    session,
    send(at, message, more) {
      const { method, params = {} } = message as { method: string; params?: JsonObject & { name?: string } }
      const headers = {
        authorization: `Bearer ${key}`,
        'mcp-protocol-version': version,
        'mcp-method': method,
        ...(params.name !== undefined && { 'mcp-name': params.name }),
      }
      const declared = { jsonrpc: '2.0', ...message, params: { ...params, _meta: meta } }
      return postAt(urls[at] ?? '', declared, { onMessage, ...more, headers })
    },
    listen() {},
    ensure() {},
    leave: () => Promise.resolve(),
    end: () => Promise.resolve(true),
  }
  return { kind: 'open', opened }
}
