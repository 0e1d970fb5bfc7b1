import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonical, valueText } from '../../test/fixtures/json-text.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json.ts'
import { payloadFromText, payloadOf, printPayload } from './payload.ts'
import { rewrite } from './rewrite.ts'

/** Adds a prefix to every `uri`, at any depth. */
function prefixed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(prefixed)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member = null]) => [
      name,
      name === 'uri' && typeof member === 'string' ? `b+${member}` : prefixed(member),
    ]),
  )
}

describe('rewrite', () => {
  test('changes nested values and nothing else', () => {
    const payload = payloadOf({ contents: [{ uri: 'a:1', text: 'x' }], total: 2 })
    expect(printPayload(rewrite(payload, prefixed))).toBe('{"contents":[{"uri":"b+a:1","text":"x"}],"total":2}')
    expect(payload.value()).toEqual({ contents: [{ uri: 'a:1', text: 'x' }], total: 2 })
  })

  test('passes the change its own copy', () => {
    const payload = payloadOf({ list: [1] })
    const changed = rewrite(payload, (value) => {
      ;(value as { list: number[] }).list.push(2)
      return value
    })
    expect(changed.value()).toEqual({ list: [1, 2] })
    expect(payload.value()).toEqual({ list: [1] })
  })

  test('numbers that a double would change are preserved', () => {
    const numbers = '[9007199254740993,1.0,1e2,-0,1e400,0.1000000000000000055511151231257827]'
    const changed = rewrite(payloadFromText(`{"numbers":${numbers},"uri":"a"}`), prefixed)
    expect(printPayload(changed)).toBe(`{"numbers":${numbers},"uri":"b+a"}`)
    expect(changed.value()).toMatchObject({ uri: 'b+a' })
  })

  test('numbers that the change moves or prints are preserved too', () => {
    const changed = rewrite(payloadFromText('{"structured":{"n":[1.0]}}'), (value) => {
      const { structured = null } = value as JsonObject
      return { ...(prefixed({ moved: structured }) as JsonObject), text: JSON.stringify(structured) }
    })
    expect(printPayload(changed)).toBe('{"moved":{"n":[1.0]},"text":"{\\"n\\":[1.0]}"}')
  })

  test('a member named __proto__ stays data', () => {
    const changed = rewrite(payloadFromText('{"__proto__":{"n":1.0}}'), (value) => value)
    expect(printPayload(changed)).toBe('{"__proto__":{"n":1.0}}')
    expect(changed.value()).not.toHaveProperty('n')
  })

  test('without a change every value and every number is unchanged', () => {
    fc.assert(
      fc.property(valueText, (text) => {
        expect(canonical(printPayload(rewrite(payloadFromText(text), (value) => value)))).toBe(canonical(text))
      }),
    )
  })
})
