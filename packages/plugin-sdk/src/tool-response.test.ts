import { describe, expect, it } from 'vitest'
import { toContent, ToolResponse } from './tool-response.ts'

const bytes = new Uint8Array([0, 1, 2, 255])

describe('each kind of answer has the form that the specification gives', () => {
  it.each([
    ['text', ToolResponse.text('hi'), [{ type: 'text', text: 'hi' }]],
    ['image', ToolResponse.image(bytes, 'image/png'), [{ type: 'image', data: 'AAEC/w==', mimeType: 'image/png' }]],
    ['audio', ToolResponse.audio('AAEC', 'audio/wav'), [{ type: 'audio', data: 'AAEC', mimeType: 'audio/wav' }]],
    [
      'resource of text',
      ToolResponse.resource('x://a', 'hi', 'text/plain'),
      [{ type: 'resource', resource: { uri: 'x://a', mimeType: 'text/plain', text: 'hi' } }],
    ],
    [
      'resource of bytes',
      ToolResponse.resource('x://a', bytes),
      [{ type: 'resource', resource: { uri: 'x://a', blob: 'AAEC/w==' } }],
    ],
    [
      'resource link',
      ToolResponse.resourceLink({ uri: 'x://a', name: 'a' }),
      [{ type: 'resource_link', uri: 'x://a', name: 'a' }],
    ],
  ])('%s', (_, response, content) => {
    expect(response).toEqual({ content })
  })

  it('error', () => {
    expect(ToolResponse.error('no')).toEqual({ content: [{ type: 'text', text: 'no' }], isError: true })
  })
})

it('the bytes are those of the view, not of the buffer behind it', () => {
  const view = new Uint8Array(bytes.buffer, 1, 2)
  expect(ToolResponse.image(view, 'image/png').content).toMatchObject([{ data: 'AQI=' }])
})

it('several blocks of any kind become one answer, in order', () => {
  const custom = { type: 'custom/chart', data: [1, 2] } as const
  expect(ToolResponse.of('a', ToolResponse.text('b'), custom, ToolResponse.json({ n: 1 }), {})).toEqual({
    content: [{ type: 'text', text: 'a' }, { type: 'text', text: 'b' }, custom, { type: 'text', text: '{"n":1}' }],
  })
})

it('a custom block is content unchanged', () => {
  expect(toContent({ type: 'custom/chart', data: 1 })).toEqual([{ type: 'custom/chart', data: 1 }])
})
