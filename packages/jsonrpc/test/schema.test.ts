import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseFrame, printMessage } from '@junctor/jsonrpc'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { badMessages } from './fixtures/v3-bad-messages.ts'
import { documentVectors, v3Vectors } from './fixtures/v3-vectors.ts'

// The JSON schema that the package ships, found by its public name.

const file = fileURLToPath(import.meta.resolve('@junctor/jsonrpc/schema/jsonrpc-3.0.schema.json'))
const schema = JSON.parse(readFileSync(file, 'utf8')) as object
const validate = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true }).compile(
  schema,
)
const isValid = (text: string): boolean => validate(JSON.parse(text))

describe('the schema of JSON-RPC 3.0', () => {
  test.each(v3Vectors)('accepts $section: $text', ({ text }) => {
    isValid(text)
    expect(validate.errors).toBeNull()
  })

  test.each(documentVectors)('accepts the printed text of $section: $text', ({ text }) => {
    const frame = parseFrame(text)
    expect(frame.kind === 'message' && isValid(printMessage(frame.message, { nullId: true }))).toBe(true)
  })

  test.each(badMessages)('refuses $text, as the parser does', ({ text }) => {
    expect(isValid(text)).toBe(false)
  })

  test.each([
    '[]',
    'null',
    '1',
    '"x"',
    '{}',
    '[[]]',
    '[1]',
    '{"jsonrpc":"2.0","id":1,"method":"m"}',
    '{"jsonrpc":3.0,"id":1,"method":"m"}',
    '{"id":1,"method":"m"}',
    '[{"jsonrpc":"3.0","id":1,"method":"m"},{"jsonrpc":"2.0","id":2,"method":"m"}]',
  ])('refuses %s', (text) => {
    expect(isValid(text)).toBe(false)
  })

  test('accepts a batch of every kind of message', () => {
    expect(isValid(`[${v3Vectors.map(({ text }) => text).join(',')}]`)).toBe(true)
  })

  test('and the parser accept the same messages', () => {
    const scalar = fc.constantFrom(null, true, 1, 'x')
    const inner = fc.record(
      { id: fc.constantFrom(1, 'x', null, true), data: scalar, result: scalar, error: scalar, abort: fc.boolean() },
      { requiredKeys: [] },
    )
    const error = fc.record(
      { code: fc.constantFrom(1, 0.5, 'x'), title: scalar, message: scalar },
      { requiredKeys: [] },
    )
    const object = fc.oneof({ weight: 4, arbitrary: inner }, scalar)
    const members = fc.record(
      {
        id: fc.constantFrom(1, 'x', null, true, []),
        method: fc.constantFrom('m', 1),
        params: fc.constantFrom([], {}, 1),
        options: fc.oneof(object, fc.constant({ stream: 1, abort: true })),
        result: scalar,
        error: fc.oneof(error, fc.constant({ code: 1, message: 'm' }), scalar),
        ack: object,
        stream: object,
        data: scalar,
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(members, (given) => {
        const text = JSON.stringify({ jsonrpc: '3.0', ...given })
        expect(isValid(text)).toBe(parseFrame(text).kind === 'message')
      }),
      { numRuns: 5000 },
    )
  })
})
