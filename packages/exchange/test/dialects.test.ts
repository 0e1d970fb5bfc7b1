import { payloadOf, printPayload } from '@junctor/jsonrpc'
import { methods, wireError } from '@junctor/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { askNumber, type ExchangeEvent, type View } from '../src/index.ts'
import { anyStep, run } from './any-step.ts'
import { sampleView } from './samples.ts'
import { type Seen, seenByClient } from './seen-by-client.ts'

/** A method that is not a tool: its gathered chunks are returned unchanged. */
const base: View = { ...sampleView, method: 'listen.logs' }

const anyView: fc.Arbitrary<View> = fc
  .record({
    dialect: fc.constantFrom('2.0', '3.0'),
    stream: fc.boolean(),
    extensions: fc.constantFrom<View['extensions'][]>([], ['progress']),
    progressToken: fc.constantFrom(undefined, 't'),
    asks: fc.constantFrom('live', 'none'),
  })
  .map((more) => ({ ...base, ...more }))

/** Returns what a client should understand of these events: everything that its dialect can express. */
function expected(events: readonly ExchangeEvent[], view: View): Omit<Seen, 'progress' | 'problems'> {
  const isV3 = view.dialect === '3.0'
  const last = events.at(-1)
  const chunks = events.flatMap((event) => (event.kind === 'chunk' ? [event.data] : []))
  const isComplete = last?.kind === 'outcome' && last.outcome.kind === 'complete'
  return {
    acks: isV3 ? events.filter((event) => event.kind === 'ack').length : 0,
    chunks: (isV3 && view.stream) || isComplete ? chunks : [],
    others: events.flatMap((event) => other(event) ?? []),
    end: isComplete ? '{"content":[]}' : codeOf(last, view),
  }
}

function other(event: ExchangeEvent): string | undefined {
  if (event.kind === 'ask') return `${askNumber(event.id)} ${event.request.method} `
  if (event.kind === 'withdrawn') {
    const params = payloadOf({ requestId: askNumber(event.id), reason: event.reason })
    return ` ${methods.notificationsCancelled} ${printPayload(params)}`
  }
  if (event.kind !== 'notification') return undefined
  const { method, params } = event.notification
  return ` ${method} ${params === undefined ? '' : printPayload(params)}`
}

function codeOf(last: ExchangeEvent | undefined, view: View): string {
  if (last?.kind !== 'end' || last.reason === 'disconnected') return ''
  if (last.reason === 'cancelled') return view.dialect === '3.0' ? '-32800' : ''
  if (last.reason === 'deadline') return String(wireError('deadline_exceeded', view).code)
  if (last.reason === 'session_ended') return String(wireError('session_unknown', view).code)
  return String(wireError('backend_exited', view).code)
}

/** Returns the expected progress: the handler's own, and before that the gathered chunks, as far as it rises. */
function progressOf(events: readonly ExchangeEvent[], view: View): readonly number[] {
  const isV3 = view.dialect === '3.0'
  const isShown = view.progressToken !== undefined || (isV3 && view.extensions.includes('progress'))
  if (!isShown) return []
  let highest = 0
  let isReported = false
  const shown: number[] = []
  for (const event of events) {
    const next = event.kind === 'progress' ? event.progress.progress : highest + 1
    if (event.kind === 'progress') isReported = true
    else if (event.kind !== 'chunk' || isReported || (isV3 && view.stream)) continue
    // The first value may be zero.
    if (next <= highest && !(next === 0 && shown.length === 0)) continue
    highest = next
    shown.push(next)
  }
  return shown
}

test('for any steps, a client understands the same in both dialects, and nothing follows the end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyStep, { maxLength: 60, size: 'max' }),
      fc.array(anyView, { minLength: 2, maxLength: 4 }),
      async (steps, views) => {
        const { problems, written } = await run(steps)
        expect(problems).toEqual([])
        for (const view of views) {
          expect(seenByClient(written, view)).toEqual({
            ...expected(written, view),
            progress: progressOf(written, view),
            problems: [],
          })
        }
      },
    ),
    { numRuns: 1000 },
  )
}, 60_000)
