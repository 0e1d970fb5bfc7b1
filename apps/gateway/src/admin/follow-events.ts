import { setTimeout } from 'node:timers/promises'
import { readJson } from '@junctor/contracts'
import type { JsonObject, JsonValue } from '@junctor/jsonrpc'
import { z } from 'zod'
import type { Report } from '../report/report.ts'
import type { TerminalLine } from '../report/terminal-line.ts'
import { linesOf } from '../lines-of.ts'
import type { AdminEndpoint } from './admin-endpoint.ts'
import { askAdmin } from './ask-admin.ts'

/** What following needs. */
export interface FollowEventsParts {
  /** The response whose stream is already open. */
  readonly first: Response
  readonly place: AdminEndpoint
  readonly path: string
  readonly show: (event: JsonValue) => void
  readonly report: Pick<Report, 'failed'>
  /** Shows that the gateway cannot be reached. */
  readonly line: TerminalLine
  /** Stops following. */
  readonly signal: AbortSignal
}

/** An event; the rest of it is shown as it came. */
const eventSchema = z.looseObject({ timestamp: z.string() })

const firstPauseMs = 500
const longestPauseMs = 10_000

/**
 * Shows events as they happen, and reconnects when the gateway was away, until the signal aborts. Never rejects.
 * Resolves with false when the gateway refuses the reconnect.
 */
export async function followEvents(parts: FollowEventsParts): Promise<boolean> {
  const { place, path, show, report, line, signal } = parts
  let response: Response | undefined = parts.first
  let seen = ''
  let pauseMs = firstPauseMs
  for (;;) {
    if (response !== undefined) {
      line.clear()
      pauseMs = firstPauseMs
      // oxlint-disable-next-line no-await-in-loop
      seen = await showAll(response, show, seen)
    }
    if (!signal.aborted) line.show(`Waiting for ${place.url}`)
    // oxlint-disable-next-line no-await-in-loop
    await setTimeout(pauseMs, undefined, { signal }).catch(() => {})
    pauseMs = Math.min(longestPauseMs, pauseMs * 2)
    // oxlint-disable-next-line no-await-in-loop
    const again = signal.aborted ? undefined : await askAdmin(place, pathSince(path, seen), signal)
    if (again === undefined || signal.aborted) break
    if (again.kind === 'failed' && !again.lost) {
      line.clear()
      report.failed(again.failure)
      return false
    }
    response = again.kind === 'answer' ? again.response : undefined
  }
  line.clear()
  return true
}

/** The same path, limited to events that were not shown yet, with the largest limit that the gateway allows. */
function pathSince(path: string, seen: string): string {
  if (seen === '') return path
  const [route = '', query = ''] = path.split('?')
  const asked = new URLSearchParams(query)
  asked.set('since', seen)
  asked.set('limit', '1000')
  return `${route}?${asked.toString()}`
}

/**
 * @param seen the time of the last shown event: older events are not shown again
 * @returns the time of the last event that is shown now
 */
async function showAll(response: Response, show: (event: JsonValue) => void, seen: string): Promise<string> {
  let last = seen
  try {
    for await (const line of linesOf((response.body ?? []) as AsyncIterable<Uint8Array>)) {
      const read = readJson(eventSchema, line)
      // A newer gateway may send lines of another form.
      if (read.kind === 'unreadable' || read.value.timestamp <= seen) continue
      last = read.value.timestamp
      show(read.value as JsonObject)
    }
  } catch {
    // The gateway is gone, or the caller aborted. The caller distinguishes the two.
  }
  return last
}
