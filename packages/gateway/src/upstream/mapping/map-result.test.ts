import { describe, expect, it } from 'vitest'
import { type Payload, payloadFromText, payloadOf, printPayload } from '@junctor/jsonrpc'
import { mapResult } from './map-result.ts'

const mapped = (method: string, prefix: string, result: Payload): Payload =>
  mapResult(method, prefix, result, { choice: undefined, url: undefined })

describe('mapResult', () => {
  it('maps links and embedded resources of a tool result, and nothing else', () => {
    const result = payloadOf({
      content: [
        { type: 'text', text: 'file:///a', uri: 'file:///a' },
        { type: 'resource_link', uri: 'file:///b', name: 'b' },
        { type: 'resource', resource: { uri: 'file:///c', text: 'file:///c' } },
      ],
      structuredContent: { uri: 'file:///d' },
    })
    expect(mapped('tools/call', 'files', result).value()).toEqual({
      content: [
        { type: 'text', text: 'file:///a', uri: 'file:///a' },
        { type: 'resource_link', uri: 'files+file:///b', name: 'b' },
        { type: 'resource', resource: { uri: 'files+file:///c', text: 'file:///c' } },
      ],
      structuredContent: { uri: 'file:///d' },
    })
  })

  it('maps what a read returns', () => {
    const result = payloadOf({
      contents: [
        { uri: 'file:///a', text: 'x' },
        { uri: 'file:///b', blob: 'eA==' },
      ],
    })
    expect(mapped('resources/read', 'files', result).value()).toEqual({
      contents: [
        { uri: 'files+file:///a', text: 'x' },
        { uri: 'files+file:///b', blob: 'eA==' },
      ],
    })
  })

  it('maps the embedded resources of a prompt, whether its content is one block or several', () => {
    const link = { type: 'resource_link', uri: 'file:///a', name: 'a' }
    const shown = { type: 'resource_link', uri: 'files+file:///a', name: 'a' }
    const result = payloadOf({
      messages: [
        { role: 'user', content: link },
        { role: 'user', content: [link] },
      ],
    })
    expect(mapped('prompts/get', 'files', result).value()).toEqual({
      messages: [
        { role: 'user', content: shown },
        { role: 'user', content: [shown] },
      ],
    })
  })

  it('returns the same payload when there is nothing to map', () => {
    const plain = payloadOf({ content: [{ type: 'text', text: 'x' }] })
    const linked = payloadOf({ content: [{ type: 'resource_link', uri: 'file:///a' }] })
    expect(mapped('tools/call', 'files', plain)).toBe(plain)
    expect(mapped('tools/call', '', linked)).toBe(linked)
    expect(mapped('completion/complete', 'files', linked)).toBe(linked)
  })

  it('keeps numbers that a double would change', () => {
    const result = payloadFromText('{"content":[{"type":"resource_link","uri":"a:b","size":9007199254740993}]}')
    expect(printPayload(mapped('tools/call', 'x', result))).toBe(
      '{"content":[{"type":"resource_link","uri":"x+a:b","size":9007199254740993}]}',
    )
  })

  it.each([[null], [[]], [{ content: 'text' }], [{ content: [null, 1, { type: 'resource' }] }]])(
    'does not change %j',
    (value) => {
      const result = payloadOf(value)
      expect(mapped('tools/call', 'files', result)).toBe(result)
    },
  )
})

it('does not parse a result that cannot contain a URI', () => {
  const result = payloadFromText('{"content":[{"type":"text","text":"cut off')
  expect(mapped('tools/call', 'files', result)).toBe(result)
})
