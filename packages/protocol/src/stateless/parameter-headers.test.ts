import { type JsonValue, payloadFromText, payloadOf } from '@junctor/jsonrpc'
import { describe, expect, test } from 'vitest'
import { judgeParameterHeaders, parameterHeaderValues, readParameterHeaders } from './parameter-headers.ts'

const region = { type: 'string', 'x-mcp-header': 'Region' }
const schema = {
  type: 'object',
  properties: {
    region,
    query: { type: 'string' },
    page: { type: 'object', properties: { size: { type: 'integer', 'x-mcp-header': 'Page-Size' } } },
    all: { type: 'boolean', 'x-mcp-header': 'All' },
  },
}

function headersOf(inputSchema: JsonValue) {
  const read = readParameterHeaders(inputSchema)
  if (read.kind === 'invalid') throw new Error(read.why)
  return read.headers
}

describe('the headers of a schema', () => {
  test('are those of properties, at any depth', () => {
    expect(headersOf(schema)).toEqual([
      { header: 'mcp-param-region', path: ['region'], type: 'string' },
      { header: 'mcp-param-page-size', path: ['page', 'size'], type: 'integer' },
      { header: 'mcp-param-all', path: ['all'], type: 'boolean' },
    ])
  })

  test.each([
    [undefined],
    [true],
    [{}],
    [{ properties: { 'x-mcp-header': { type: 'string' } } }],
    [{ default: region }],
  ])('%j has none', (inputSchema) => {
    expect(readParameterHeaders(inputSchema)).toEqual({ kind: 'headers', headers: [] })
  })

  test.each([
    ['an empty name', { properties: { a: { ...region, 'x-mcp-header': '' } } }],
    ['a name with a blank', { properties: { a: { ...region, 'x-mcp-header': 'a b' } } }],
    ['a name with a line break', { properties: { a: { ...region, 'x-mcp-header': 'a\nb' } } }],
    ['a name that is no text', { properties: { a: { ...region, 'x-mcp-header': 7 } } }],
    ['two equal names', { properties: { a: region, b: { ...region, 'x-mcp-header': 'REGION' } } }],
    ['a number', { properties: { a: { type: 'number', 'x-mcp-header': 'A' } } }],
    ['an object', { properties: { a: { type: 'object', 'x-mcp-header': 'A' } } }],
    ['several types', { properties: { a: { type: ['string', 'null'], 'x-mcp-header': 'A' } } }],
    ['the arguments themselves', { ...region }],
    ['items of a list', { properties: { a: { type: 'array', items: region } } }],
    ['one of several', { oneOf: [{ properties: { a: region } }] }],
    ['a condition', { if: { properties: { a: region } } }],
    ['a definition', { $defs: { a: { properties: { a: region } } } }],
  ])('%s makes a tool invalid', (_, inputSchema) => {
    expect(readParameterHeaders(inputSchema as JsonValue).kind).toBe('invalid')
  })
})

describe('a call', () => {
  const wanted = headersOf(schema)

  test('sends its arguments, encoded where a header cannot carry them', () => {
    const args = { region: 'Zürich', query: 'x', page: { size: 5 }, all: false }
    expect(parameterHeaderValues(wanted, payloadOf({ arguments: args }))).toEqual({
      'mcp-param-region': '=?base64?WsO8cmljaA==?=',
      'mcp-param-page-size': '5',
      'mcp-param-all': 'false',
    })
    expect(parameterHeaderValues(wanted, payloadOf({ arguments: { region: null } }))).toEqual({})
    expect(parameterHeaderValues(wanted, undefined)).toEqual({})
  })

  const judged = (args: JsonValue | undefined, headers: Readonly<Record<string, string>>) =>
    judgeParameterHeaders(
      wanted,
      args === undefined ? undefined : payloadOf({ arguments: args }),
      (name) => headers[name],
    )

  test('repeats all digits of a number, also those that JavaScript would change', () => {
    const params = payloadFromText('{"arguments":{"page":{"size":9007199254740993}}}')
    expect(parameterHeaderValues(wanted, params)).toEqual({ 'mcp-param-page-size': '9007199254740993' })
    const judgedWith = (size: string) =>
      judgeParameterHeaders(wanted, params, (name) => (name === 'mcp-param-page-size' ? size : undefined))
    expect(['9007199254740993', '9007199254740993.0'].map(judgedWith)).toEqual([undefined, undefined])
    expect(judgedWith('9007199254740992')).toContain('differs from the argument')
  })

  test.each([
    [{ region: 'a' }, { 'mcp-param-region': 'a' }],
    [{ region: 'a' }, { 'mcp-param-region': '=?base64?YQ==?=' }],
    [{ page: { size: 42 } }, { 'mcp-param-page-size': '42.0' }],
    [{ region: null }, {}],
    [undefined, {}],
    [{}, { 'mcp-param-other': 'x' }],
  ])('with the arguments %j may have the headers %j', (args, headers) => {
    expect(judged(args, headers as Readonly<Record<string, string>>)).toBeUndefined()
  })

  test.each([
    [{ region: 'a' }, {}],
    [{ region: 'a' }, { 'mcp-param-region': 'b' }],
    [{ region: 'a' }, { 'mcp-param-region': '=?base64?YQ?=' }],
    [{}, { 'mcp-param-region': 'a' }],
    [{ region: '42' }, { 'mcp-param-region': '42.0' }],
    [{ page: { size: 0 } }, { 'mcp-param-page-size': '' }],
    [{ page: { size: 16 } }, { 'mcp-param-page-size': '0x10' }],
  ])('with the arguments %j may not have the headers %j', (args, headers) => {
    expect(judged(args, headers as Readonly<Record<string, string>>)).toBeTypeOf('string')
  })
})
