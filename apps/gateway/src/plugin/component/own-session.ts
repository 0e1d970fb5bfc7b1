import { PassThrough } from 'node:stream'
import { type JsonObject, parseExactly } from '@junctor/jsonrpc'
import type { JunctorNode } from '@junctor/node'
import { linesOf } from '../../lines-of.ts'

/** One message that a node has sent. */
export interface SentMessage {
  /** As it was sent, on one line. */
  readonly text: string
  /** Numbers that JavaScript would change are raw numbers. */
  readonly value: JsonObject
}

/** The part of a node that a session in the same process needs. */
export type SessionNode = Pick<JunctorNode, 'serveStdio'>

/**
 * Sends JSON-RPC 3.0 messages to a node in this process, in a session of its own, and gives what the node sends, until
 * the reader leaves the loop. Then the session is closed.
 *
 * @param cancel sent when the signal aborts
 */
export async function* ownSession(
  node: SessionNode,
  messages: readonly JsonObject[],
  cancel: JsonObject,
  signal: AbortSignal,
): AsyncGenerator<SentMessage, void, undefined> {
  const input = new PassThrough()
  const output = new PassThrough()
  const server = node.serveStdio(input, output)
  const send = (message: JsonObject): void => void input.write(`${JSON.stringify(message)}\n`)
  const aborted = (): void => send(cancel)
  for (const message of messages) send(message)
  if (signal.aborted) aborted()
  else signal.addEventListener('abort', aborted, { once: true })
  const ended = server.closed.then(() => output.end())
  try {
    // The reader leaves before the end: the rest is taken from the stream afterwards.
    for await (const text of linesOf(output.iterator({ destroyOnReturn: false }))) {
      yield { text, value: parseExactly(text) as JsonObject }
    }
  } finally {
    signal.removeEventListener('abort', aborted)
    input.end()
    output.resume()
    await server.close()
    await ended
  }
}
