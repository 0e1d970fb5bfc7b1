import type { JsonObject } from '@junctor/jsonrpc'
import { describe, expect, it } from 'vitest'
import type { Call } from '../ledger/attempt.ts'
import { readStream, streamMessage } from './streamed-call.ts'

/** A stream of three pieces. */
const call: Call = { id: 'c1.0.1', tool: 'stream', ms: 40 }
const piece = (number: number, id = call.id): JsonObject => ({
  jsonrpc: '3.0',
  stream: { id, data: `Log entry ${number}` },
})
const end: JsonObject = { jsonrpc: '3.0', stream: { id: call.id }, result: 'End of logs' }
const ack: JsonObject = { jsonrpc: '3.0', ack: {}, stream: { id: call.id } }
const failed: JsonObject = { stream: { id: call.id }, error: { code: -32_000, message: 'x', data: { reason: 'busy' } } }

it('requests as many pieces as it expects', () => {
  expect(streamMessage(call)).toMatchObject({ method: 'listen.logs', params: { entries: 3 } })
  expect(streamMessage({ ...call, ms: 41 })).toMatchObject({ method: 'listen.errors', params: { entries: 4 } })
})

describe('a stream', () => {
  it.each<[string, JsonObject[], string, number]>([
    ['that is whole', [ack, piece(1), piece(2), piece(3), end], 'result c1.0.1', 0],
    ['without its last piece', [piece(1), piece(2), end], 'result 2 pieces', 0],
    ['without a piece in between', [piece(1), piece(3), end], 'result 2 pieces', 1],
    ['in another order', [piece(2), piece(1), piece(3), end], 'result c1.0.1', 2],
    ['with a piece of another', [piece(1), piece(2, 'c2.0.1'), piece(2), piece(3), end], 'result c1.0.1', 1],
    ['that continues after its end', [piece(1), piece(2), piece(3), end, piece(4)], 'result c1.0.1', 1],
    ['that ends in an error', [piece(1), failed], 'error busy', 0],
    ['that is refused immediately', [{ id: call.id, error: failed['error'] ?? null }], 'error busy', 0],
  ])('%s', (_what, frames, expected, count) => {
    const { outcome, strays } = readStream(call, frames)
    const shownOutcome = outcome.kind === 'result' ? outcome.text : outcome.kind === 'error' ? outcome.reason : ''
    expect(`${outcome.kind} ${shownOutcome}`).toContain(expected)
    expect(strays).toHaveLength(count)
  })

  it('without an end is lost', () => {
    expect(() => readStream(call, [piece(1)])).toThrow('lost')
  })
})
