import { describe, expect, it } from 'vitest'
import { createTraces, traceIdOf, traceparentOf } from './trace-parent.ts'

const given = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const start = () => '00-0123456789abcdef0123456789abcdef-0123456789abcdef-00'

describe('traceparentOf', () => {
  it('continues the trace that the request names', () => {
    expect(traceparentOf({ traceparent: given }, start)).toBe(given)
    expect(traceIdOf(given)).toBe('4bf92f3577b34da6a3ce929d0e0e4736')
  })

  it.each([
    undefined,
    {},
    { traceparent: 7 },
    { traceparent: given.toUpperCase() },
    { traceparent: `${given}-more` },
    { traceparent: given.replace('00-', 'ff-') },
    { traceparent: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01` },
    { traceparent: `00-4bf92f3577b34da6a3ce929d0e0e4736-${'0'.repeat(16)}-01` },
  ])('starts a trace for %j', (meta) => {
    expect(traceparentOf(meta, start)).toBe(start())
  })
})

describe('createTraces', () => {
  it('gives ids that are well-formed and never the same, over many batches', () => {
    const traces = createTraces()
    const made = Array.from({ length: 2_000 }, traces)
    expect(new Set(made).size).toBe(2_000)
    for (const traceparent of made) expect(traceparentOf({ traceparent }, start)).toBe(traceparent)
  })
})
