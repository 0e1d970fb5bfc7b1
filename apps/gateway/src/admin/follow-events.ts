import { setTimeout } from 'node:timers/promises'
import type { JsonValue } from '@junctor/jsonrpc'
import type { Report } from '../report/report.ts'
import type { AdminPlace } from './admin-place.ts'
import { askAdmin } from './ask-admin.ts'

export interface FollowParts {
  /** The stream that is there already. */
  readonly first: Response
  readonly place: AdminPlace
  readonly path: string
  show(event: JsonValue): void
  readonly report: Pick<Report, 'failed'>
  /** Ends it. */
  readonly signal: AbortSignal
}

const firstPauseMs = 500
const longestPauseMs = 10_000

/** Shows events as they happen, and comes back when the gateway was away, until it is told to end. Never rejects. */
export async function followEvents({ first, place, path, show, report, signal }: FollowParts): Promise<void> {
  let response: Response | undefined = first
  let seen = ''
  let pauseMs = firstPauseMs
  while (!signal.aborted) {
    if (response !== undefined) {
      pauseMs = firstPauseMs
      seen = await showAll(response, show, seen)
    }
    if (signal.aborted) return
    await setTimeout(pauseMs, undefined, { signal }).catch(() => {})
    pauseMs = Math.min(longestPauseMs, pauseMs * 2)
    const again = await askAdmin(place, path, signal)
    if (again.kind === 'failed' && !again.lost) return report.failed(again.failure)
    response = again.kind === 'answer' ? again.response : undefined
  }
}

/** @param seen the time of the last event that was shown: what comes again is not shown twice. Gives the new one. */
async function showAll(response: Response, show: (event: JsonValue) => void, seen: string): Promise<string> {
  let last = seen
  let rest = ''
  try {
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      const lines = (rest + Buffer.from(chunk).toString()).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (line === '') continue
        const event = JSON.parse(line) as { timestamp: string }
        if (event.timestamp <= seen) continue
        last = event.timestamp
        show(event)
      }
    }
  } catch {
    // The gateway is gone, or the end was asked for: both are the caller's to see.
  }
  return last
}
