import type { JsonObject } from '@junctor/jsonrpc'
import type { FuzzSession } from './fuzz-ledger.ts'
import type { FuzzClientKind } from './fuzz-plan.ts'
import { receiveMessage } from './receive-message.ts'
import { createSession, type Opening, type OpenSession } from './open-session.ts'
import { postAndResume } from './post-and-resume.ts'
import { postAt } from './post-at.ts'
import { createSessionStream } from './session-stream.ts'

/** Whose session it is, and the node that opens it. */
export interface OpenOptions extends Pick<FuzzSession, 'client' | 'kind' | 'node'> {
  /** The URL of its tenant, for each node. */
  readonly urls: readonly string[]
  readonly key: string
  /** The URLs of the NATS servers, for a session on NATS. */
  readonly nats: readonly string[]
}

/** Opens a session over HTTP: of MCP, or of JSON-RPC 3.0 for jobs. */
export async function openHttpSession({ client, kind, node, urls, key }: OpenOptions): Promise<Opening> {
  const own = { authorization: `Bearer ${key}` }
  const jsonrpc = kind === 'jobs' ? '3.0' : '2.0'
  const began = performance.now()
  const { status, session: id, isRefused } = await postAt(urls[node] ?? '', openings[kind], { headers: own })
  if (status === undefined && isRefused !== true) return { kind: 'unsure' }
  if (status !== 200 || id === '') return { kind: 'refused' }
  const headers = {
    ...own,
    'mcp-session-id': id,
    ...(jsonrpc === '2.0' && { 'mcp-protocol-version': revisions[kind] }),
  }
  const session = createSession({ id, client, kind, node, began })
  const onMessage = (message: JsonObject): void => receiveMessage(opened, message)
  const stream = createSessionStream({ session, urls, headers, onMessage })
  const opened: OpenSession = {
    session,
    nodes: urls.length,
    async send(at, message, { isQueued, resume, ...more } = {}) {
      const sent = performance.now()
      const whole = { jsonrpc, ...message }
      const posted =
        resume === undefined
          ? await postAt(urls[at] ?? '', whole, {
              onMessage,
              ...more,
              headers: { ...headers, ...(isQueued === true && { prefer: 'respond-async' }) },
            })
          : await postAndResume(whole, { urls, headers, onMessage, node: at, ...resume })
      if (posted.status === 404 && session.unknown === undefined) {
        session.unknown = performance.now()
        session.unknownTo = `${JSON.stringify(message['id'] ?? message['method'])} at node ${at} from ${Math.round(sent)} ms`
      }
      return posted
    },
    listen: (at, hasCursor) => stream.listen(at, hasCursor),
    ensure() {
      if (kind !== 'jobs') stream.ensure()
    },
    leave: () => stream.close(),
    async end(at) {
      const { status: endStatus } = await postAt(urls[at] ?? '', {}, { headers, isDelete: true })
      return endStatus !== undefined && endStatus < 500
    },
  }
  if (kind !== 'jobs') await opened.send(node, { method: 'notifications/initialized' })
  return { kind: 'open', opened }
}

const revisions = {
  saas: '2025-03-26',
  plain: '2025-11-25',
  jobs: '',
  socket: '2025-11-25',
  events: '2024-11-05',
  stateless: '',
  bus: '2025-11-25',
} as const

/** The request that opens a session of each kind. Empty: there is no such request. */
export const openings: Readonly<Record<FuzzClientKind, JsonObject>> = {
  saas: initialize(revisions.saas),
  plain: initialize(revisions.plain),
  socket: initialize(revisions.socket),
  events: initialize(revisions.events),
  stateless: {},
  bus: initialize(revisions.bus),
  jobs: { jsonrpc: '3.0', id: 'open', method: 'rpc.extensions', params: { extensions: ['async'] } },
}

function initialize(protocolVersion: string): JsonObject {
  const params = { protocolVersion, capabilities: { sampling: {} }, clientInfo: { name: 'fuzz', version: '1' } }
  return { jsonrpc: '2.0', id: 'open', method: 'initialize', params }
}
