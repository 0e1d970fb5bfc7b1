import { describe, expect, test } from 'vitest'
import { canonical } from '../../test/fixtures/json-text.ts'
import { depthBombs, freeTexts, invalidTexts, validTexts } from '../../test/fixtures/json-vectors.ts'
import type { Message } from '../message/message.ts'
import { parseFrame } from './parse-frame.ts'
import { printMessage } from '../print/print-message.ts'
import { repeatsNames } from '../json/repeats-names.ts'

function messageOf(text: string): Message {
  const frame = parseFrame(text)
  if (frame.kind !== 'message') throw new Error(`not a message: ${JSON.stringify(frame)}`)
  return frame.message
}

const relayed = (text: string): string => printMessage(messageOf(text), { nullId: true })

describe('JSON', () => {
  const unrepeated = [...validTexts, ...freeTexts].filter((json) => !repeatsNames(json, JSON.parse(json)))

  test.each(unrepeated)('%j is accepted and relayed', (json) => {
    expect(canonical(relayed(`{"jsonrpc":"2.0","method":"m","params":[${json}]}`))).toBe(
      canonical(`{"jsonrpc":"2.0","method":"m","params":[${json}]}`),
    )
    expect(parseFrame(json)).not.toMatchObject({ situation: 'parse_error' })
  })

  test.each(invalidTexts)('%j is a parse error', (text) => {
    expect(parseFrame(text)).toMatchObject({ kind: 'unreadable', situation: 'parse_error', id: undefined })
  })

  test.each(depthBombs)('%s are too large', (_name, text) => {
    expect(parseFrame(text)).toMatchObject({ kind: 'unreadable', situation: 'too_large', id: undefined })
  })

  test('the allowed depth can be printed', () => {
    const params = `${'['.repeat(63)}${']'.repeat(63)}`
    expect(relayed(`{"jsonrpc":"2.0","method":"m","params":${params}}`)).toContain(params)
  })

  test('an error has the reason and the position, but no part of the input', () => {
    expect(parseFrame('{"password":"hunter2", x}')).toMatchObject({
      message:
        'Expected JSON, got something else: Expected double-quoted property name in JSON at position 23 (line 1 column 24)',
    })
    expect(parseFrame('"hunter2, "x" hunter2')).toMatchObject({ message: expect.not.stringContaining('hunter2') })
    expect(parseFrame(`[${'"hunter2",'.repeat(20)} hunter2]`)).toMatchObject({
      message: `Expected JSON, got something else: Unexpected token 'h'`,
    })
  })
})

describe('a message', () => {
  test.each([
    ['{"jsonrpc":"2.0","id":1,"method":"m"}', { kind: 'request', id: '1', method: 'm', params: undefined }],
    ['{"jsonrpc":"2.0","id":0,"method":""}', { kind: 'request', id: '0', method: '' }],
    ['{"jsonrpc":"2.0","id":"","method":"m"}', { kind: 'request', id: '""' }],
    ['{"jsonrpc":"2.0","id":-1.5,"method":"m"}', { kind: 'request', id: '-1.5' }],
    ['{"jsonrpc":"2.0","id":1.0,"method":"m"}', { kind: 'request', id: '1.0' }],
    ['{"jsonrpc":"2.0","id":1e2,"method":"m"}', { kind: 'request', id: '1e2' }],
    ['{"jsonrpc":"2.0","id":9007199254740993,"method":"m"}', { kind: 'request', id: '9007199254740993' }],
    ['{"jsonrpc":"2.0","id":"\\u0041\\/","method":"m"}', { kind: 'request', id: '"A/"' }],
    ['{"jsonrpc":"2.0","id":"\\u0041","method":"m","params":[1.0]}', { kind: 'request', id: '"A"' }],
    ['{"jsonrpc":"2.0","\\u0069d":2.0,"method":"m"}', { kind: 'request', id: '2.0' }],
    ['{"jsonrpc":"2.0","id":1,"method":"m","params":null}', { kind: 'request', id: '1', params: undefined }],
    ['{"jsonrpc":"2.0","method":"m","params":null}', { kind: 'notification', method: 'm', params: undefined }],
    ['{"jsonrpc":"3.0","method":"m","params":null}', { kind: 'notification', dialect: '3.0', params: undefined }],
    ['{"jsonrpc":"2.0","method":"m","unknown":[1]}', { kind: 'notification', method: 'm', params: undefined }],
    ['{"jsonrpc":"2.0","id":"1","result":null}', { kind: 'result', id: '"1"' }],
    ['{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"x"}}', { kind: 'error', id: '1', error: { code: -1 } }],
    ['{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"x"}}', { kind: 'error', id: undefined }],
    ['{"jsonrpc":"2.0","error":{"code":-1,"message":"x"}}', { kind: 'error', id: undefined }],
  ])('%s is read', (text, expected) => {
    expect(messageOf(text)).toMatchObject({ dialect: '2.0', ...expected })
  })

  test('the data of an error is kept, null included', () => {
    const error = (data: string): string => `{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"x","data":${data}}}`
    for (const data of ['null', '{"n":1.0}', '"x"', '[1]']) expect(relayed(error(data))).toBe(error(data))
  })

  test.each([
    ['"result":{"a":1.50},"error":null', 'result'],
    ['"error":null,"result":{"a":1.50}', 'result'],
    ['"method":null,"params":null,"result":{},"error":null', 'result'],
    ['"result":null,"error":null', undefined],
    ['"result":null', 'result'],
    ['"result":null,"error":{"code":-1,"message":"no"}', 'error'],
    ['"method":"m","params":{},"result":null,"error":null', 'request'],
    ['"method":null', undefined],
    ['"method":"m","result":{},"error":null', undefined],
  ])('members that a message of 2.0 does not use may be null: %s', (members, kind) => {
    const frame = parseFrame(`{"jsonrpc":"2.0","id":1,${members}}`)
    expect(frame.kind === 'message' ? frame.message.kind : undefined).toBe(kind)
  })

  test('a result beside an error of null has the value that it has alone', () => {
    const frame = parseFrame('{"jsonrpc":"2.0","id":1,"result":{"a":1.50},"error":null}')
    expect(frame.kind === 'message' && frame.message.kind === 'result' && frame.message.result.value()).toEqual({
      a: 1.5,
    })
  })

  test('a member named __proto__ is relayed and changes nothing', () => {
    const text = '{"jsonrpc":"2.0","method":"m","params":{"__proto__":{"polluted":1},"a":{"__proto__":null}}}'
    expect(relayed(text)).toBe(text)
    expect(parseFrame('{"__proto__":{"jsonrpc":"2.0","method":"m"}}')).toMatchObject({ situation: 'invalid_request' })
    expect({}).not.toHaveProperty('polluted')
  })

  test('small payloads hold values, but those with numbers that a double would change keep their text', () => {
    const params = (text: string): string | undefined => {
      const message = messageOf(`{"jsonrpc":"2.0","method":"m","params":${text}}`)
      return message.kind === 'notification' ? message.params?.text : 'not a notification'
    }
    expect(params('{"a":1.5}')).toBeUndefined()
    expect(params('{ "a" : 1.0 }')).toBe('{ "a" : 1.0 }')
    expect(params(`["${'x'.repeat(16 * 1024)}"]`)).toBe(`["${'x'.repeat(16 * 1024)}"]`)
  })

  test('an answer with repeated members inside has the value of JSON.parse, also in its text', () => {
    const text = '{"jsonrpc":"2.0","id":1,"result":{"n":1.0,"a":{"x":1,"y":2,"x":3.50}}}'
    expect(relayed(text)).toBe('{"jsonrpc":"2.0","id":1,"result":{"n":1.0,"a":{"x":3.50,"y":2}}}')
  })

  test('kept text has no newlines', () => {
    const text =
      '{\r\n  "jsonrpc": "2.0",\n  "method": "m",\n  "params": {\n    "a\\n": 1.0,\r    "b": "  \\r  "\n  }\n}\n'
    expect(relayed(text)).toBe('{"jsonrpc":"2.0","method":"m","params":{"a\\n": 1.0,"b": "  \\r  "}}')
  })
})

describe('two members with one name', () => {
  const atRoot = 'Expected each member of a message once, got two of one name'
  const inside = 'Expected each member of an object once, got two of one name inside the message'
  const call = (params: string, more = ''): string =>
    `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":${params}${more}}`

  test.each([
    ['its method', '{"jsonrpc":"2.0","id":7,"method":"tools/call","method":"ping"}', atRoot, '7'],
    ['its method, escaped', '{"jsonrpc":"2.0","id":7,"method":"ping","\\u006dethod":"tools/call"}', atRoot, '7'],
    ['its id', '{"jsonrpc":"2.0","id":7,"id":8,"method":"ping"}', atRoot, undefined],
    ['its version', '{"jsonrpc":"2.0","jsonrpc":"3.0","id":7,"method":"ping"}', atRoot, '7'],
    ['its params', '{"jsonrpc":"2.0","id":7,"method":"ping","params":{},"params":{"a":1}}', atRoot, '7'],
    ['a name', call('{"name":"denied","name":"allowed"}'), inside, '7'],
    ['an escaped name', call('{"name":"allowed","na\\u006de":"denied"}'), inside, '7'],
    ['a name with space', call('{"name" : "denied",\n"name"\t:"allowed"}'), inside, '7'],
    ['a URI with colons', call('{"uri":"file://a","uri":"file://b","text":"a: b: \\": c"}'), inside, '7'],
    ['its _meta', call('{"name":"a","_meta":{},"_meta":{"progressToken":1}}'), inside, '7'],
    ['a member of _meta', call('{"name":"a","_meta":{"progressToken":1,"progressToken":2}}'), inside, '7'],
    ['an argument', call('{"name":"a","arguments":{"to":[{"id":1,"id":2}]}}'), inside, '7'],
    ['equal members', call('{"name":"a","name":"a"}'), inside, '7'],
    ['__proto__', call('{"name":"a","__proto__":1,"__proto__":2}'), inside, '7'],
    ['an option', '{"jsonrpc":"3.0","id":7,"method":"m","options":{"stream":false,"stream":true}}', inside, '7'],
  ])('of a call are refused: %s', (_what, text, message, id) => {
    const refused = { kind: 'unreadable', situation: 'invalid_request', id, message }
    expect(parseFrame(text)).toMatchObject(refused)
    // Also for messages that keep their text for their numbers or their size, messages with space around them, and
    // batch entries.
    const large = `${' '.repeat(64)}"x":"${'y'.repeat(20 * 1024)}"}`
    expect(parseFrame(text.replace(/\}$/, `,"n":1.0}`))).toMatchObject(refused)
    expect(parseFrame(text.replace(/\}$/, `,\n${large}`))).toMatchObject(refused)
    const neighbour = '{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1}}'
    expect(parseFrame(`[${neighbour},${text}]`)).toMatchObject({ entries: [{ kind: 'request', id: '1' }, refused] })
    const padded = `[${neighbour},${text.replace(/\}$/, `,${large}`)}]`
    expect(parseFrame(padded)).toMatchObject({ entries: [{ kind: 'request', id: '1' }, refused] })
  })

  test.each([
    ['its id', '{"jsonrpc":"2.0","id":7,"id":8,"result":{}}', undefined],
    ['its result', '{"jsonrpc":"2.0","id":7,"result":{"a":1},"result":{"a":2}}', '7'],
    ['its error', '{"jsonrpc":"3.0","id":7,"error":{"code":1,"message":"a"},"error":{"code":2,"message":"b"}}', '7'],
  ])('of an answer are refused: %s', (_what, text, answers) => {
    const refused = { kind: 'unreadable', situation: 'invalid_request', id: undefined, answers, message: atRoot }
    expect(parseFrame(text)).toMatchObject(refused)
    expect(parseFrame(text.replace(/\}$/, `,"x":"${'y'.repeat(20 * 1024)}"}`))).toMatchObject(refused)
    expect(parseFrame(`[${text}]`)).toMatchObject({ entries: [refused] })
  })
})

describe('what is not a message', () => {
  test.each([
    ['1', 'Expected a message to be an object, got a number', {}],
    ['"x"', 'Expected a message to be an object, got a string', {}],
    ['null', 'Expected a message to be an object, got null', {}],
    ['{}', 'Expected "jsonrpc" to be "2.0" or "3.0", got nothing', {}],
    ['{"jsonrpc":2.0,"id":1,"method":"m"}', 'Expected "jsonrpc" to be "2.0" or "3.0", got a number', { id: '1' }],
    ['{"jsonrpc":"3.1","id":1,"method":"m"}', 'Expected "jsonrpc" to be "2.0" or "3.0", got "3.1"', { id: '1' }],
    ['{"jsonrpc":"2.0"}', 'Expected "method", "result" or "error", got none of them', {}],
    [
      '{"jsonrpc":"2.0","id":"a"}',
      'Expected "method", "result" or "error", got none of them',
      { id: '"a"', answers: '"a"' },
    ],
    ['{"id":1}', 'Expected "jsonrpc" to be "2.0" or "3.0", got nothing', { id: '1', answers: '1' }],
    ['{"id":1,"result":{}}', 'Expected "jsonrpc" to be "2.0" or "3.0", got nothing', { answers: '1' }],
    ['{"jsonrpc":"2.0","id":1,"method":5}', 'Expected "method" to be a string, got a number', { id: '1' }],
    ['{"jsonrpc":"2.0","method":null}', 'Expected "method" to be a string, got null', {}],
    ['{"jsonrpc":"2.0","id":null,"method":"m"}', 'Expected "id" to be a string or a number, got null', {}],
    ['{"jsonrpc":"2.0","id":true,"method":"m"}', 'Expected "id" to be a string or a number, got a boolean', {}],
    ['{"jsonrpc":"2.0","id":[1],"method":"m"}', 'Expected "id" to be a string or a number, got an array', {}],
    ['{"jsonrpc":"2.0","id":{},"method":"m"}', 'Expected "id" to be a string or a number, got an object', {}],
    [
      '{"jsonrpc":"2.0","id":1,"method":"m","params":"x"}',
      'Expected "params" to be an object or an array, got a string',
      { id: '1' },
    ],
    [
      '{"jsonrpc":"2.0","id":1,"method":"m","result":1}',
      'Expected either "method" or a response, got both',
      { id: '1' },
    ],
  ])('%s is refused', (text, message, id) => {
    expect(parseFrame(text)).toEqual({
      kind: 'unreadable',
      situation: 'invalid_request',
      dialect: text.includes('"jsonrpc":"2.0"') ? '2.0' : undefined,
      id: undefined,
      answers: undefined,
      silent: false,
      notification: undefined,
      ...id,
      message,
    })
  })

  test.each([
    ['{"jsonrpc":"2.0","method":"m","params":5}', 'm'],
    ['{"jsonrpc":"2.0","method":"m","params":"x"}', 'm'],
    ['{"jsonrpc":"2.0","method":"m","params":false}', 'm'],
    ['{"jsonrpc":"2.0","method":"","params":1}', ''],
    ['{"jsonrpc":"2.0","method":"m","result":1}', 'm'],
    ['{"jsonrpc":"1.0","method":"m"}', 'm'],
    ['{"method":"m"}', 'm'],
    ['{"jsonrpc":"3.0","method":"m","params":5}', 'm'],
    ['{"jsonrpc":"3.0","method":"m","options":1}', 'm'],
    ['{"jsonrpc":"3.0","method":"m","ack":{}}', 'm'],
    ['{"jsonrpc":"3.0","options":{"stream":true,"abort":true}}', undefined],
    ['{"jsonrpc":"3.0","options":5}', undefined],
    ['{"jsonrpc":"3.0","ack":5}', undefined],
    ['{"jsonrpc":"3.0","stream":{"id":7}}', undefined],
    ['{"jsonrpc":"2.0","result":1}', undefined],
    ['{"jsonrpc":"3.0","error":5}', undefined],
  ])('%s has no id, and its sender expects no answer', (text, notification) => {
    expect(parseFrame(text)).toMatchObject({ kind: 'unreadable', id: undefined, silent: true, notification })
  })

  test.each([
    '{"jsonrpc":"2.0","options":{}}',
    '{"jsonrpc":"3.0"}',
    '{"jsonrpc":"3.0","id":null,"method":1}',
    '{"method":1}',
  ])('%s may have been intended as any message', (text) => {
    expect(parseFrame(text)).toMatchObject({ kind: 'unreadable', silent: false, notification: undefined })
  })

  test.each([
    [
      '{"jsonrpc":"2.0","id":7,"result":1,"error":{"code":1,"message":"x"}}',
      'Expected either "result" or "error", got both',
    ],
    ['{"jsonrpc":"2.0","id":7,"error":"x"}', 'Expected "error" to be an object, got a string'],
    ['{"jsonrpc":"2.0","id":7,"error":null}', 'Expected "error" to be an object, got null'],
    ['{"jsonrpc":"2.0","id":7,"error":{"message":"x"}}', 'Expected "error.code" to be an integer, got nothing'],
    [
      '{"jsonrpc":"2.0","id":7,"error":{"code":"1","message":"x"}}',
      'Expected "error.code" to be an integer, got a string',
    ],
    [
      '{"jsonrpc":"2.0","id":7,"error":{"code":1.5,"message":"x"}}',
      'Expected "error.code" to be an integer, got another number',
    ],
    ['{"jsonrpc":"2.0","id":7,"error":{"code":1}}', 'Expected "error.message" to be a string, got nothing'],
    ['{"jsonrpc":"1.0","id":7,"result":1}', 'Expected "jsonrpc" to be "2.0" or "3.0", got "1.0"'],
  ])('the malformed response %s names the request that gets no other response', (text, message) => {
    expect(parseFrame(text)).toMatchObject({ situation: 'invalid_request', id: undefined, answers: '7', message })
  })

  test.each([
    '{"jsonrpc":"2.0","result":1}',
    '{"jsonrpc":"2.0","id":null,"result":1}',
    '{"jsonrpc":"2.0","id":[],"error":{}}',
  ])('the response %s answers nothing', (text) => {
    expect(parseFrame(text)).toMatchObject({ situation: 'invalid_request', id: undefined, answers: undefined })
  })
})

describe('bounds', () => {
  const bounds = { depth: 4, batch: 2, idLength: 8 }

  test('a long id is too large, and not repeated', () => {
    expect(parseFrame('{"jsonrpc":"2.0","id":"123456","method":"m"}', bounds)).toMatchObject({ kind: 'message' })
    for (const id of ['"1234567"', '123456789', '1.0000000']) {
      expect(parseFrame(`{"jsonrpc":"2.0","id":${id},"method":"m"}`, bounds)).toMatchObject({
        situation: 'too_large',
        id: undefined,
        message: 'Expected an id of at most 8 characters, got 9',
      })
    }
  })

  test('an oversized batch is refused as too large', () => {
    const entry = '{"jsonrpc":"2.0","method":"m"}'
    expect(parseFrame(`[${entry},${entry}]`, bounds)).toMatchObject({ kind: 'batch' })
    expect(parseFrame(`[${entry},${entry},${entry}]`, bounds)).toMatchObject({
      situation: 'too_large',
      message: 'Expected a batch of at most 2 entries, got 3',
    })
  })

  test('the id of a deep message is found without parsing it, so that its sender gets an answer', () => {
    const message = 'Expected at most 4 levels of objects and arrays, got more'
    const deep = '[[[["\\"]"]]]]'
    expect(parseFrame(`{"method":"m","params":${deep},"jsonrpc":"2.0", "id" : 1.0 }`, bounds)).toEqual({
      kind: 'unreadable',
      situation: 'too_large',
      dialect: '2.0',
      id: '1.0',
      answers: undefined,
      silent: false,
      notification: undefined,
      message,
    })
    expect(parseFrame(`{"jsonrpc":"2.0","id":7,"x":${deep}}`, bounds)).toMatchObject({ id: '7', answers: '7' })
    expect(parseFrame(`{"jsonrpc":"2.0","id":7,"result":${deep}}`, bounds)).toMatchObject({
      id: undefined,
      answers: '7',
    })
    for (const id of ['null', '"123456789"', '[1]', 'x', '"\\x"', '']) {
      const text = `{"jsonrpc":"2.0","id":${id},"method":"m","params":${deep}}`
      expect(parseFrame(text, bounds)).toMatchObject({ situation: 'too_large', id: undefined })
    }
    const long = JSON.stringify('m'.repeat(300))
    for (const [method, notification] of [
      ['"m"', 'm'],
      ['"\\u006d"', 'm'],
      [long, ''],
    ] as const) {
      const text = `{"jsonrpc":"2.0","method":${method},"params":${deep}}`
      expect(parseFrame(text, bounds)).toMatchObject({ silent: true, notification })
    }
    expect(parseFrame(`{"method":1,"params":${deep}}`, bounds)).toMatchObject({ silent: false })
    expect(parseFrame(`{"\\x":1,"id":1,"params":${deep}}`, bounds)).toMatchObject({ id: undefined })
  })
})

describe('a batch', () => {
  test('holds messages, and the faults of its other entries', () => {
    const text = '[{"jsonrpc":"2.0","id":1.0,"method":"m"}, [], {"jsonrpc":"2.0","id":2,"method":1}, 3]'
    expect(parseFrame(text)).toMatchObject({
      kind: 'batch',
      entries: [
        { kind: 'request', id: '1.0' },
        {
          kind: 'unreadable',
          situation: 'invalid_request',
          message: 'Expected a message to be an object, got an array',
        },
        { kind: 'unreadable', situation: 'invalid_request', id: '2' },
        { kind: 'unreadable', situation: 'invalid_request', id: undefined },
      ],
    })
  })

  test('without entries is an invalid request', () => {
    expect(parseFrame(' [ ] ')).toMatchObject({
      kind: 'unreadable',
      situation: 'invalid_request',
      message: 'Expected a batch to have entries, got none',
    })
  })
})
