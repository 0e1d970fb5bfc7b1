import type { OpenExchange, View } from '@junctor/exchange'
import { type JsonObject, requestId } from '@junctor/jsonrpc'
import { mcpProfile, noExtensions, wireError } from '@junctor/protocol'
import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { defaultGatewayLimits } from '../../shared/limits.ts'
import { createStreamTable } from '../../sessions/streams/stream-table.ts'
import { ResponseStream } from './response-stream.ts'

const view: View = {
  id: requestId(1),
  method: 'tools/call',
  revision: '2025-11-25',
  dialect: '2.0',
  profile: mcpProfile,
  asks: 'live',
  progressToken: undefined,
  stream: false,
  extensions: noExtensions,
}

/** The response to a request that another node or this one answers, and what its client receives. */
function setUp(isPlaced: boolean, method = 'tools/call') {
  const seen = { opened: false, answers: [] as JsonObject[], status: undefined as number | undefined }
  const clock = createManualClock()
  const streams = createStreamTable('abcd1234', defaultGatewayLimits, clock.now, { dropped() {}, overflowed() {} })
  const sink = {
    owner: undefined,
    resumable: true,
    open: () => void (seen.opened = true),
    send(text: string, _last: boolean, _event?: string, status?: number) {
      seen.answers.push(JSON.parse(text) as JsonObject)
      seen.status = status
      return undefined
    },
  }
  const exchange = { id: 'abcd1234-0', deadline: Infinity, context: { session: 's' } } as OpenExchange
  const response = new ResponseStream(
    { ...view, method },
    sink,
    exchange,
    { streams, deadlines: clock.deadlines, clock },
    isPlaced,
  )
  return { response, seen }
}

const unknown = { kind: 'outcome', outcome: { kind: 'error', error: wireError('session_unknown', view) } } as const

describe('a response that another node answers', () => {
  it('is 404 when that node answers that the session has ended, also when that answer is slow', () => {
    const { response, seen } = setUp(true)
    response.waiting()
    expect(seen.opened).toBe(false)
    void response.write(unknown)
    expect(seen).toMatchObject({ opened: false, status: 404, answers: [{ error: { code: -32_001 } }] })
  })

  it.each([
    ['has the request, and the answer takes its time', ['begun', 'waiting']],
    ['has the request late', ['waiting', 'begun']],
  ] as const)('is a stream when that node %s', (_when, steps) => {
    const { response, seen } = setUp(true)
    for (const step of steps) response[step]()
    expect(seen.opened).toBe(true)
  })

  it('is a plain answer when that node has the request and answers soon', () => {
    const { response, seen } = setUp(true)
    response.begun()
    expect(seen.opened).toBe(false)
  })

  it.each([unknown, { kind: 'end', reason: 'session_ended' }] as const)(
    'does not report in a stream that nothing was done: %j',
    (event) => {
      const { response, seen } = setUp(true)
      response.begun()
      response.waiting()
      void response.write(event)
      expect(seen.answers).toMatchObject([
        { error: { message: expect.stringContaining('unknown'), data: { reason: 'backend_exited' } } },
      ])
    },
  )
})

describe('a response that is answered here', () => {
  it('is a stream when the answer is slow', () => {
    const { response, seen } = setUp(false)
    response.waiting()
    expect(seen.opened).toBe(true)
  })

  it.each(['initialize', 'rpc.extensions'])(
    'has a status when it opens no session, also when it is slow: %s',
    (method) => {
      const { response, seen } = setUp(false, method)
      response.waiting()
      const error = wireError('fabric_unavailable', view)
      void response.write({ kind: 'outcome', outcome: { kind: 'error', error } })
      expect(seen).toMatchObject({ opened: false, status: 503 })
    },
  )

  it('does not report that nothing was done when its session ends before it became a stream', () => {
    const { response, seen } = setUp(false)
    void response.write({ kind: 'end', reason: 'session_ended' })
    expect(seen).toMatchObject({
      opened: false,
      status: 200,
      answers: [{ error: { message: expect.stringContaining('unknown'), data: { reason: 'backend_exited' } } }],
    })
  })

  it.each(['tasks/result', 'tools/list'])('is 404 when its session ends and it may be sent again: %s', (method) => {
    const { response, seen } = setUp(false, method)
    void response.write({ kind: 'end', reason: 'session_ended' })
    expect(seen).toMatchObject({ opened: false, status: 404, answers: [{ error: { code: -32_001 } }] })
  })

  it('asks the client of a stream that only waits for a job to ask again when its session ends', () => {
    const { response, seen } = setUp(false, 'tasks/result')
    response.waiting()
    void response.write({ kind: 'end', reason: 'session_ended' })
    expect(seen.answers).toMatchObject([{ error: { data: { reason: 'overloaded', retryable: true } } }])
  })

  it.each([
    { kind: 'outcome', outcome: { kind: 'error', error: wireError('backend_exited', view), loss: 'cut' } },
    { kind: 'end', reason: 'shutdown' },
  ] as const)('says that its node is gone, not a backend: %j', (event) => {
    const { response, seen } = setUp(true)
    void response.write(event)
    expect(seen.answers).toMatchObject([
      { error: { message: expect.stringContaining('The node'), data: { reason: 'outcome_unknown' } } },
    ])
  })

  it.each(['tasks/get', 'tasks/result', 'tasks/cancel', 'job.status', 'job.result', 'job.cancel'])(
    'asks a client that asked about a job to ask again, whose outcome is not that of its question: %s',
    (method) => {
      const { response, seen } = setUp(false, method)
      const error = wireError('backend_exited', view)
      void response.write({ kind: 'outcome', outcome: { kind: 'error', error, loss: 'cut' } })
      expect(seen.answers).toMatchObject([{ error: { data: { reason: 'overloaded', retryable: true } } }])
    },
  )

  it.each([
    { error: wireError('backend_exited', view, { backend: 'demo' }), loss: 'cut' },
    { error: wireError('backend_exited', view) },
  ] as const)('keeps what a backend lost, or has answered itself: %j', (lost) => {
    const { response, seen } = setUp(true)
    void response.write({ kind: 'outcome', outcome: { kind: 'error', ...lost } })
    expect(seen.answers).toMatchObject([{ error: { data: { reason: 'backend_exited' } } }])
  })
})
