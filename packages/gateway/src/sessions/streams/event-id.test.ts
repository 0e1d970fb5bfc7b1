import { describe, expect, it } from 'vitest'
import { eventId, parseEventId } from './event-id.ts'

const stream = 'abcd1234-AAAAAAAAAAAAAAAAAAAAA_'

describe('parseEventId', () => {
  it('reads what eventId writes', () => {
    expect(parseEventId(eventId(stream, 0))).toEqual({ node: 'abcd1234', stream, n: 0 })
    expect(parseEventId(eventId(stream, 17))).toEqual({ node: 'abcd1234', stream, n: 17 })
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
    expect(parseEventId(text)).toBeUndefined()
  })
})
