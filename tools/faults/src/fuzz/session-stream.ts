import { setTimeout as after } from 'node:timers/promises'
import type { JsonObject } from '@junctor/jsonrpc'
import { readEvents } from '@junctor/testkit'
import type { FuzzSession } from './fuzz-ledger.ts'
import { isRefused } from './post-at.ts'

/** How long a client waits before it opens its stream again, in milliseconds. */
const pauseMs = 100

/** The session's own stream, which is reopened at any node until it is closed. */
export interface SessionStream {
  /** Closes the stream, and opens it at this node; with its cursor, if it has one and `hasCursor` is set. */
  listen(node: number, hasCursor: boolean): void
  /** Opens the stream at any node, if it was never opened. */
  ensure(): void
  close(): Promise<void>
}

interface SessionStreamOptions {
  readonly session: FuzzSession
  /** The URL of the session's stream, for each node. */
  readonly urls: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  readonly onMessage: (message: JsonObject) => void
}

/**
 * Opens no stream before `listen` or `ensure`. Notes in the session when a node does not know it, and stops then;
 * notes a cursor that a node does not know, and continues without it.
 */
export function createSessionStream({ session, urls, headers, onMessage }: SessionStreamOptions): SessionStream {
  let place: string | undefined
  /** Whether a stream was open before, or may have been: the client left before it had the head of the answer. */
  let wasOpen = false
  let leaving: AbortController | undefined
  let reading: Promise<void> = Promise.resolve()

  /** Reads a stream to its end. Rejects when its connection is lost. */
  const read = async (node: number, cursor: string | undefined, signal: AbortSignal): Promise<void> => {
    const began = performance.now()
    const response = await request(urls[node] ?? '', headers, cursor, signal).catch((error: unknown) => {
      wasOpen ||= !isRefused(error)
      throw error
    })
    if (response.status === 404) session.unknown ??= performance.now()
    if (response.status === 400 && cursor !== undefined) {
      place = undefined
      const body = await response.text()
      session.forgotten.push({ node, cursor, body, began, ended: performance.now() })
    } else if (!response.ok) await response.body?.cancel()
    if (!response.ok || response.body === null) return
    if (wasOpen && cursor === undefined) session.cursorless += 1
    wasOpen = true
    for await (const { id, data } of readEvents(response)) {
      place = id ?? place
      if (data.startsWith('{')) onMessage(JSON.parse(data) as JsonObject)
    }
  }

  const follow = async (first: number, hasCursor: boolean, signal: AbortSignal): Promise<void> => {
    let cursor = hasCursor ? place : undefined
    for (let node = first; !signal.aborted && session.unknown === undefined; node = (node + 1) % urls.length) {
      // oxlint-disable no-await-in-loop -- one stream after the other
      await read(node, cursor, signal).catch(() => {})
      if (!signal.aborted) await after(pauseMs)
      // oxlint-enable no-await-in-loop
      cursor = place
    }
  }

  const listen = (node: number, hasCursor: boolean): void => {
    leaving?.abort()
    const mine = new AbortController()
    leaving = mine
    reading = reading.then(() => follow(node, hasCursor, mine.signal))
  }

  return {
    listen,
    ensure() {
      if (leaving === undefined) listen(0, true)
    },
    async close() {
      leaving?.abort()
      await reading
    },
  }
}

function request(
  url: string,
  headers: SessionStreamOptions['headers'],
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Response> {
  const from = cursor === undefined ? undefined : { 'last-event-id': cursor }
  return fetch(url, { headers: { ...headers, accept: 'text/event-stream', ...from }, signal })
}
