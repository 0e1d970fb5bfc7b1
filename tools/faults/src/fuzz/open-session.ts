import type { JsonObject } from '@junctor/jsonrpc'
import { outcomeOf } from '../storm/clients/http-3-client.ts'
import { idText } from '../storm/clients/results.ts'
import type { FuzzSession } from './fuzz-ledger.ts'
import type { PostedAt, PostOptions } from './post-at.ts'

/** Options of a request in a session. */
export interface SendOptions extends Pick<PostOptions, 'onMessage' | 'abortAfterMs'> {
  /** Closes the connection of the request after this time, and resumes its stream at this node. */
  readonly resume?: { readonly afterMs: number; readonly resumeAt: number }
  /** Requests the answer on the session's stream. */
  readonly isQueued?: boolean
}

/** An open session of a client. */
export interface OpenSession {
  readonly session: FuzzSession
  /** The number of nodes that it may send to. */
  readonly nodes: number
  /**
   * Sends to a node, or on the session's own connection, if it has one. Resolves when the request is over. Never
   * rejects.
   */
  send(node: number, message: JsonObject, options?: SendOptions): Promise<PostedAt>
  /** Opens the session's own stream at a node, if this kind of session has one. */
  listen(node: number, hasCursor: boolean): void
  /** Opens the stream at any node, if it was never opened. */
  ensure(): void
  /** Stops listening. */
  leave(): Promise<void>
  /** Ends the session at a node. Resolves with whether it is known to be over. */
  end(node: number): Promise<boolean>
}

/** The result of an opening. `unsure`: it is not known whether there is a session. */
export type Opening =
  | { readonly kind: 'open'; readonly opened: OpenSession }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unsure' }

/**
 * Opens a session that has a connection of its own: with this `initialize`, and the notification after it.
 *
 * @param close ends the connection of a session that is refused
 */
export async function initializeAt(
  node: number,
  opened: OpenSession,
  initialize: JsonObject,
  close: () => unknown,
): Promise<Opening> {
  let isReady = false
  await opened.send(node, initialize, { onMessage: (message) => (isReady = message['result'] !== undefined) })
  if (!isReady) {
    await close()
    return { kind: 'refused' }
  }
  await opened.send(node, { method: 'notifications/initialized' })
  return { kind: 'open', opened }
}

/** Creates the record of a session that has just been opened. */
export function createSession(opened: Pick<FuzzSession, 'id' | 'client' | 'kind' | 'node' | 'began'>): FuzzSession {
  return { ...opened, calls: [], cursorless: 0, forgotten: [], foreign: [] }
}

/** The ids of requests that are no calls: those that open a session, and questions about jobs. */
const otherIds = /^(?:open|ask-\d+)$/

/** Records a message; an answer belongs to its call, on every connection. */
export function recordMessage(session: FuzzSession, message: JsonObject): void {
  const { id, method } = message
  if (method === 'notifications/progress') {
    const { progressToken, progress } = message['params'] as { progressToken: string; progress: number }
    const steps = session.calls.find((call) => call.id === progressToken)?.steps
    if (steps === undefined) session.foreign.push(`progress ${progressToken}`)
    else steps.push(progress)
  }
  if (message['method'] !== undefined || id === undefined || id === null) return
  const made = session.calls.find((call) => call.id === id)
  if (made === undefined) {
    if (!otherIds.test(idText(id))) session.foreign.push(idText(id))
    return
  }
  const result = (message['result'] ?? {}) as { task?: { taskId?: string } }
  const ack = (message['ack'] ?? {}) as { jobId?: string }
  const job = result.task?.taskId ?? ack.jobId
  if (job !== undefined) made.job = job
  if (message['ack'] === undefined) made.answers.push({ at: performance.now(), outcome: outcomeOf(message) })
}

/** The id of the request that a message cancels: it need not be answered. */
export function cancelledBy({ method, params }: JsonObject): string | undefined {
  return method === 'notifications/cancelled' ? idText((params as JsonObject)['requestId']) : undefined
}

/** Whether a session cannot be used any more. */
export function isGone(session: FuzzSession | undefined): boolean {
  return session === undefined || session.unknown !== undefined || session.ended !== undefined
}
