import { Readable } from 'node:stream'
import type { JsonObject } from '@junctor/jsonrpc'
import { readEvents } from '@junctor/testkit'
import { readLines } from './read-lines.ts'

/**
 * Reads the messages of a response to its end: events, lines or JSON. Batches are split.
 *
 * @param received called with each message, and the id of its event if it has one
 */
export async function readAnswer(
  response: Response,
  received: (message: JsonObject, eventId: string | undefined) => void,
): Promise<void> {
  const receiveAll = (text: string, eventId?: string): void => {
    if (text === '') return
    const parsed = JSON.parse(text) as JsonObject | JsonObject[]
    for (const message of Array.isArray(parsed) ? parsed : [parsed]) received(message, eventId)
  }
  const type = response.headers.get('content-type') ?? ''
  if (type.includes('text/event-stream')) {
    for await (const { name, data, id } of readEvents(response)) if (name === 'message') receiveAll(data, id)
  } else if (type.includes('application/x-ndjson') && response.body !== null) {
    for await (const line of readLines(Readable.fromWeb(response.body as never))) receiveAll(line)
  } else receiveAll(await response.text())
}
