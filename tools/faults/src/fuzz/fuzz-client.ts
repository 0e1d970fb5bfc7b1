import { setTimeout as after } from 'node:timers/promises'
import type { JsonObject } from '@junctor/jsonrpc'
import { isFinalState } from '../storm/ledger/final-states.ts'
import type { FuzzCall, FuzzSession } from './fuzz-ledger.ts'
import { type ClientAction, tenantOf } from './fuzz-plan.ts'
import { postAt, type PostOptions } from './post-at.ts'
import { createSessionStream, type SessionStream } from './session-stream.ts'

/** A client that does what it is told, and writes down what comes of it. */
export interface FuzzClient {
  /** Never rejects. */
  act(action: ClientAction): Promise<void>
  readonly sessions: readonly FuzzSession[]
  /** Openings of which the client does not know whether a session came of them. */
  readonly lostOpenings: () => number
  /** Reads the streams of all sessions that are there still. */
  listenToAll(): void
  /** Asks for its tasks until they are over, or it is too late. */
  readTasks(deadline: number): Promise<void>
  /** Ends all its sessions. */
  close(): Promise<void>
}

interface OpenSession {
  readonly session: FuzzSession
  readonly headers: Readonly<Record<string, string>>
  readonly stream: SessionStream
}

const pollMs = 200
const closeMs = 10_000

/** @param urls of its tenant, at each node */
export function createFuzzClient(client: number, urls: readonly string[], key: string): FuzzClient {
  const tenant = tenantOf(client)
  const revision = tenant === 'saas' ? '2025-03-26' : '2025-11-25'
  const known: OpenSession[] = []
  let current: Promise<OpenSession | undefined> = Promise.resolve(undefined)
  let lostOpenings = 0
  let calls = 0

  const post = (node: number, message: JsonObject, options: PostOptions) =>
    postAt(
      urls[node] ?? '',
      { jsonrpc: '2.0', ...message },
      {
        ...options,
        headers: { authorization: `Bearer ${key}`, ...options.headers },
      },
    )

  const open = async (node: number): Promise<OpenSession | undefined> => {
    const began = performance.now()
    const params = { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'fuzz', version: '1' } }
    const { status, session: id } = await post(node, { id: 'open', method: 'initialize', params }, { headers: {} })
    if (status === undefined) lostOpenings += 1
    if (status !== 200 || id === '') return undefined
    const headers = { 'mcp-session-id': id, 'mcp-protocol-version': revision }
    const session: FuzzSession = { id, client, tenant, node, began, calls: [], cursorless: 0, forgotten: 0 }
    const heard = (message: JsonObject): void => hear(session, message)
    const own = { authorization: `Bearer ${key}`, ...headers }
    const opened = { session, headers, stream: createSessionStream({ session, urls, headers: own, heard }) }
    known.push(opened)
    await post(node, { method: 'notifications/initialized' }, { headers })
    return opened
  }

  const call = async ({ session, headers }: OpenSession, action: CallAction): Promise<void> => {
    const { kind, node, ms } = action
    calls += 1
    const id = `${client}-${calls}`
    const made: FuzzCall = {
      id,
      kind: kind === 'abort' ? (tenant === 'saas' ? 'queue' : 'inline') : kind,
      node,
      began: performance.now(),
      answers: 0,
      isLeft: kind === 'abort',
    }
    session.calls.push(made)
    const params = { name: 'slow', arguments: { ms: kind === 'abort' ? 200 : ms } }
    const { status } = await post(
      node,
      { id, method: 'tools/call', params: { ...params, ...(kind === 'task' && { task: { ttl: 600_000 } }) } },
      {
        headers: { ...headers, ...(kind === 'queue' && { prefer: 'respond-async' }) },
        heard: (message) => hear(session, message),
        ...(kind === 'abort' && { abortAfterMs: ms }),
      },
    )
    made.ended = performance.now()
    made.status = status
    // It was accepted before the client left.
    if (kind === 'abort' && status === 202) made.isLeft = false
    if (status === 404) session.unknown ??= performance.now()
  }

  const cancel = async ({ session, headers }: OpenSession, node: number): Promise<void> => {
    const made = session.calls.findLast(({ answers, isLeft }) => answers === 0 && !isLeft)
    if (made === undefined) return
    made.isLeft = true
    await post(node, { method: 'notifications/cancelled', params: { requestId: made.id } }, { headers })
  }

  const remove = async ({ headers }: OpenSession, node: number): Promise<number | undefined> =>
    (await post(node, {}, { headers, isDelete: true })).status

  const readTask = async (at: OpenSession, made: FuzzCall, deadline: number): Promise<void> => {
    for (let node = 0; made.state === undefined && performance.now() < deadline; node = (node + 1) % urls.length) {
      const heard = ({ result, error }: JsonObject): void => {
        const state = error === undefined ? (result as JsonObject)['status'] : undefined
        if (typeof state === 'string' && isFinalState(state)) made.state = state
      }
      const ask = { id: 'task', method: 'tasks/get', params: { taskId: made.task ?? '' } }
      // oxlint-disable no-await-in-loop -- one question after the other
      await post(node, ask, { headers: at.headers, heard })
      if (made.state === undefined) await after(pollMs)
      // oxlint-enable no-await-in-loop
    }
  }

  return {
    get sessions() {
      return known.map(({ session }) => session)
    },
    lostOpenings: () => lostOpenings,
    async act(action) {
      const { node } = action
      // Whoever cannot open a session, or has lost it, opens the next one.
      current = current.then((opened) => (action.kind !== 'delete' && isGone(opened?.session) ? open(node) : opened))
      const at = await current
      if (at === undefined || isGone(at.session)) return
      if (action.kind === 'delete') {
        at.session.ended = performance.now()
        await remove(at, node)
        await at.stream.close()
      } else if (action.kind === 'listen') at.stream.listen(node, action.hasCursor)
      else if (action.kind === 'cancel') await cancel(at, node)
      else if (action.kind !== 'open') await call(at, action)
    },
    listenToAll() {
      for (const { session, stream } of known) if (session.ended === undefined) stream.ensure()
    },
    async readTasks(deadline) {
      const made = known.flatMap(({ session }) => session.calls.filter(({ task }) => task !== undefined))
      if (made.length === 0) return
      const at = await open(0)
      // oxlint-disable-next-line no-await-in-loop -- one task after the other
      if (at !== undefined) for (const each of made) await readTask(at, each, deadline)
    },
    async close() {
      const deadline = performance.now() + closeMs
      const end = async (opened: OpenSession): Promise<void> => {
        await opened.stream.close()
        for (let node = 0; performance.now() < deadline; node = (node + 1) % urls.length) {
          // oxlint-disable-next-line no-await-in-loop -- one node after the other
          const status = await remove(opened, node)
          if (status !== undefined && status < 500) return
        }
      }
      await Promise.all(known.map(end))
    },
  }
}

type CallAction = Extract<ClientAction, { readonly ms: number }>

function isGone(session: FuzzSession | undefined): boolean {
  return session === undefined || session.unknown !== undefined || session.ended !== undefined
}

/** An answer, wherever it came, is that of its call. */
function hear(session: FuzzSession, { id, method, result }: JsonObject): void {
  const made = method === undefined ? session.calls.find((each) => each.id === id) : undefined
  if (made === undefined) return
  made.answers += 1
  const { taskId } = ((result as JsonObject | undefined)?.['task'] ?? {}) as { taskId?: string }
  if (taskId !== undefined) made.task = taskId
}
