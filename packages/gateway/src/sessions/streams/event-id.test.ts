import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nodeId } from '../../shared/node-id.ts'
import { eventId, readEventId } from './event-id.ts'

const stream = 'abcd1234-AAAAAAAAAAAAAAAAAAAAA_'
const names = fc.stringMatching(/^[a-z0-9]{1,64}$/)
const locals = fc.stringMatching(/^[\w-]{22}$/)

describe('readEventId', () => {
  it('reads what eventId writes', () => {
    fc.assert(
      fc.property(names, locals, fc.nat(), (node, local, n) => {
        const id = nodeId(node, local)
        expect(readEventId(eventId(id, n))).toEqual({ kind: 'place', node, stream: id, n })
      }),
    )
  })

  it('reads only ids that it would write in the same form', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[a-z0-9]{8}-[\w-]{20,24}:[0-9]{0,11}$/)), (text) => {
        const read = readEventId(text)
        const refused = expect.stringMatching(/^expected /)
        expect(read.kind === 'place' ? eventId(read.stream, read.n) : read.why).toEqual(
          read.kind === 'place' ? text : refused,
        )
      }),
    )
  })

  it.each([
    '',
    stream,
    `${stream}:`,
    `${stream}:01`,
    `${stream}:-1`,
    `${stream}:1.5`,
    `${stream}:1\n`,
    `ABCD1234-AAAAAAAAAAAAAAAAAAAAA_:1`,
    `${stream}x:1`,
    `${stream}:99999999999`,
    '../../etc/passwd:1',
  ])('refuses %j', (text) => {
    expect(readEventId(text)).toMatchObject({ kind: 'foreign', why: expect.stringMatching(/^expected /) })
  })

  it.each(['', 'garbage', ':', 'garbage:1', 'x'.repeat(6_000)])('shows %j, which names no stream', (text) => {
    const shown = text.length > 80 ? 'x'.repeat(79) : `got "${text}"`
    expect(readEventId(text)).toMatchObject({ why: expect.stringContaining(shown) })
    expect(readEventId(text)).toMatchObject({ why: expect.stringMatching(/^.{1,130}$/) })
  })
})
