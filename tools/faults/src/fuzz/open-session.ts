import type { JsonObject } from '@junctor/jsonrpc'
import { outcomeOf } from '../storm/clients/http-3-client.ts'
import type { FuzzSession } from './fuzz-ledger.ts'
import type { PostedAt, PostOptions } from './post-at.ts'

/** What a request in a session may say besides its message. */
export interface SendOptions extends Pick<PostOptions, 'heard' | 'abortAfterMs'> {
  /** Asks for the answer on the session's stream. */
  readonly isQueued?: boolean
}

/** A session, and how its client speaks in it. */
export interface OpenSession {
  readonly session: FuzzSession
  /** Sends to a node; whoever has a connection for a session sends there. Resolves when the request is over. Never rejects. */
  send(node: number, message: JsonObject, options?: SendOptions): Promise<PostedAt>
  /** Opens the session's own stream at a node, where there are such streams. */
  listen(node: number, hasCursor: boolean): void
  /** Opens it somewhere when it was never opened. */
  ensure(): void
  /** Stops listening. */
  leave(): Promise<void>
  /** Ends the session at a node. Resolves with whether it is known to be over. */
  end(node: number): Promise<boolean>
}

/** What opening came to. `unsure`: nobody knows whether a session came of it. */
export type Opening =
  | { readonly kind: 'open'; readonly opened: OpenSession }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unsure' }

/** An answer, wherever it came, is that of its call. */
export function hear(session: FuzzSession, message: JsonObject): void {
  const made = message['method'] === undefined ? session.calls.find(({ id }) => id === message['id']) : undefined
  if (made === undefined) return
  const result = (message['result'] ?? {}) as { task?: { taskId?: string } }
  const ack = (message['ack'] ?? {}) as { jobId?: string }
  const job = result.task?.taskId ?? ack.jobId
  if (job !== undefined) made.job = job
  if (message['ack'] === undefined) made.answers.push({ at: performance.now(), outcome: outcomeOf(message) })
}
