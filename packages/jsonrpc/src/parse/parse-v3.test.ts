import { describe, expect, test } from 'vitest'
import { canonical } from '../../test/fixtures/json-text.ts'
import { badMessages } from '../../test/fixtures/v3-bad-messages.ts'
import { v3Vectors } from '../../test/fixtures/v3-vectors.ts'
import type { Message } from '../message/message.ts'
import { parseFrame } from './parse-frame.ts'
import { isPayload, type Payload } from '../payload/payload.ts'
import { printMessage } from '../print/print-message.ts'

function messageOf(text: string): Message {
  const frame = parseFrame(text)
  if (frame.kind !== 'message') throw new Error(`not a message: ${JSON.stringify(frame)}`)
  return frame.message
}

/** Returns a message with values instead of payloads. */
function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (isPayload(value as Payload)) return (value as Payload).value()
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]))
}

const large = ' '.repeat(16 * 1024)

describe('JSON-RPC 3.0', () => {
  test.each(v3Vectors)('$section: $text', ({ text, message, canonical: expected }) => {
    for (const padded of [text, large + text]) {
      const read = messageOf(padded)
      expect(plain(read)).toEqual({ dialect: '3.0', ...message })
      const printed = printMessage(read, { nullId: true })
      expect(JSON.parse(canonical(printed))).toEqual(JSON.parse(canonical(expected ?? text)))
      expect(canonical(printMessage(messageOf(printed), { nullId: true }))).toBe(canonical(printed))
    }
  })

  test.each(badMessages)('$text is refused: $message', ({ text, message, id, answers }) => {
    for (const padded of [text, large + text]) {
      expect(parseFrame(padded)).toMatchObject({
        kind: 'unreadable',
        situation: 'invalid_request',
        dialect: '3.0',
        id,
        answers,
        message,
      })
    }
  })

  test('a batch may hold every kind of message', () => {
    const frame = parseFrame(`[${v3Vectors.map(({ text }) => text).join(',')}]`)
    expect(frame).toMatchObject({ kind: 'batch' })
    const kinds = frame.kind === 'batch' ? frame.entries.map(({ kind }) => kind) : []
    expect(kinds).toEqual(v3Vectors.map(({ message }) => message['kind']))
  })

  test('members of 3.0 have no meaning in 2.0', () => {
    const request = messageOf('{"jsonrpc":"2.0","id":1,"method":"m","options":{"stream":true},"stream":{},"ack":{}}')
    expect(request).toEqual({ kind: 'request', dialect: '2.0', id: '1', method: 'm', params: undefined })
    expect(messageOf('{"jsonrpc":"2.0","id":1,"error":{"code":1,"title":2,"message":"m"}}')).toEqual({
      kind: 'error',
      dialect: '2.0',
      id: '1',
      error: { code: 1, message: 'm' },
    })
    expect(parseFrame('{"jsonrpc":"2.0","ack":{},"id":1}')).toMatchObject({ kind: 'unreadable', dialect: '2.0' })
    expect(parseFrame('{"jsonrpc":"2.0","stream":{"id":1,"data":1}}')).toMatchObject({ kind: 'unreadable' })
    expect(parseFrame('{"jsonrpc":"2.0","options":{"stream":1,"abort":true}}')).toMatchObject({ kind: 'unreadable' })
  })
})

test.each([
  ['{"jsonrpc":"3.0","id":1,"ack":5}', '1'],
  ['{"jsonrpc":"3.0","id":1,"ack":{},"result":2}', '1'],
  ['{"jsonrpc":"3.0","id":{},"ack":{}}', undefined],
  [`{"jsonrpc":"3.0","id":7,"ack":${'['.repeat(200)}${']'.repeat(200)}}`, '7'],
])('the ack %s cannot be read, and is not answered', (text, answers) => {
  expect(parseFrame(text)).toMatchObject({ kind: 'unreadable', id: undefined, answers, silent: true })
})

describe('bounds', () => {
  const bounds = { depth: 3, batch: 2, idLength: 4 }

  test.each([
    '{"jsonrpc":"3.0","id":12345,"method":"m"}',
    '{"jsonrpc":"3.0","stream":{"id":12345,"data":1}}',
    '{"jsonrpc":"3.0","ack":{"id":12345}}',
    '{"jsonrpc":"3.0","options":{"stream":12345,"abort":true}}',
  ])('the long id of %s is too large, and not repeated', (text) => {
    expect(parseFrame(text, bounds)).toEqual({
      kind: 'unreadable',
      situation: 'too_large',
      dialect: '3.0',
      id: undefined,
      answers: undefined,
      silent: !text.includes('"method"'),
      notification: undefined,
      message: 'Expected an id of at most 4 characters, got 5',
    })
  })

  const deep = '[[[[]]]]'
  test.each([
    [`{"jsonrpc":"3.0","id":null,"method":"m","params":${deep}}`, { id: 'null' }],
    [`{"jsonrpc":"3.0","id":1.0,"method":"m","options":{"x":${deep}}}`, { id: '1.0' }],
    [`{"jsonrpc":"3.0","stream":{"id":7,"data":${deep}}}`, { answers: '7' }],
    [`{"jsonrpc":"3.0","stream":{"id":7},"data":${deep}}`, { answers: '7' }],
    [`{"jsonrpc":"3.0","stream":{"id":7},"result":${deep}}`, { answers: '7' }],
    [`{"jsonrpc":"3.0","id":7,"result":${deep}}`, { answers: '7' }],
    [`{"jsonrpc":"3.0","id":7,"ack":{"a":${deep}}}`, { answers: '7', silent: true }],
    [`{"jsonrpc":"3.0","ack":{"a":${deep},"id":7}}`, { answers: '7', silent: true }],
    [`{"jsonrpc":"3.0","ack":{"a":${deep},"id":12345}}`, { silent: true }],
    [`{"jsonrpc":"3.0","stream":${deep}}`, {}],
  ])('%s is too deep', (text, known) => {
    expect(parseFrame(text, bounds)).toEqual({
      kind: 'unreadable',
      situation: 'too_large',
      dialect: '3.0',
      id: undefined,
      answers: undefined,
      silent: false,
      notification: undefined,
      message: 'Expected at most 3 levels of objects and arrays, got more',
      ...known,
    })
  })
})
