import { setTimeout as after } from 'node:timers/promises'
import type { JsonObject } from '@junctor/jsonrpc'
import { readEvents } from '@junctor/testkit'
import type { PostedAt } from './post-at.ts'

/** How long a client tries to resume a stream, and the pause between two attempts, in milliseconds. */
const resumeMs = 20_000
const pauseMs = 100

interface ResumeOptions {
  /** The URL of each node. */
  readonly urls: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  readonly onMessage: (message: JsonObject) => void
  /** The node that gets the request, and the one where its stream is resumed first. */
  readonly node: number
  readonly resumeAt: number
  /** When the client closes the connection of the request. */
  readonly afterMs: number
}

/**
 * Sends a request to a node, closes its connection, and resumes its stream at the other nodes in turn, until the answer
 * arrives or a node does not know the stream. Has no status when the client left before the stream began. Never rejects.
 */
export async function postAndResume(message: JsonObject, options: ResumeOptions): Promise<PostedAt> {
  const { urls, headers, onMessage, node, resumeAt, afterMs } = options
  let place: string | undefined
  /** Reads a stream to its end. Resolves with whether it had the answer. */
  const read = async (response: Response): Promise<boolean> => {
    let hasAnswer = false
    try {
      for await (const { id, data } of readEvents(response)) {
        place = id ?? place
        if (!data.startsWith('{')) continue
        const received = JSON.parse(data) as JsonObject
        hasAnswer ||= received['id'] === message['id']
        onMessage(received)
      }
    } catch {
      // The connection was lost.
    }
    return hasAnswer
  }
  const accept = 'application/json, text/event-stream'
  const first = { method: 'POST', headers: { accept, 'content-type': 'application/json', ...headers } }
  const posted = await fetch(urls[node] ?? '', {
    ...first,
    body: JSON.stringify(message),
    signal: AbortSignal.timeout(afterMs),
  }).catch(() => undefined)
  if (posted === undefined) return { status: undefined, session: '' }
  if (!posted.ok) return { status: posted.status, failure: await posted.text().catch(String), session: '' }
  let isAnswered = await read(posted)
  if (place === undefined && !isAnswered) return { status: undefined, session: '' }
  let failure = ''
  const deadline = performance.now() + resumeMs
  for (let at = resumeAt; !isAnswered && performance.now() < deadline; at = (at + 1) % urls.length) {
    // oxlint-disable no-await-in-loop -- one attempt after the other
    const cursor: string = place ?? ''
    const got = await fetch(urls[at] ?? '', {
      headers: { ...headers, accept: 'text/event-stream', 'last-event-id': cursor },
      signal: AbortSignal.timeout(resumeMs),
    }).catch(() => undefined)
    if (got?.ok === true) isAnswered = await read(got)
    else if (got !== undefined) failure = `${cursor} at node ${at}: ${got.status} ${await got.text().catch(String)}`
    if (got?.status === 400 || got?.status === 404) break
    if (!isAnswered) await after(pauseMs)
    // oxlint-enable no-await-in-loop
  }
  return { status: posted.status, failure, session: '' }
}
