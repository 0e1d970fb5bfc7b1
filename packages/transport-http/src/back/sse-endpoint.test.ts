import { expect, test } from 'vitest'
import { judgeSseEndpoint } from './sse-endpoint.ts'

const stream = new URL('https://mcp.example.com/sse?key=1')

test.each([
  ['/messages?sessionId=a', '/messages?sessionId=a'],
  ['messages', '/messages'],
  ['?session=a', '/sse?session=a'],
  ['https://mcp.example.com/m', '/m'],
  ['https://mcp.example.com:443/m#part', '/m'],
  [' /m\r', '/m'],
])('%j is posted to as %s', (named, path) => {
  expect(judgeSseEndpoint(named, stream)).toEqual({ kind: 'endpoint', path })
})

test.each([
  ['https://evil.example.com/m'],
  ['//evil.example.com/m'],
  ['http://mcp.example.com/m'],
  ['https://mcp.example.com:8443/m'],
  ['https://mcp.example.com@evil.example.com/m'],
  ['https://user:secret@mcp.example.com/m'],
  ['javascript:alert(1)'],
  ['http://'],
])('%j is refused', (named) => {
  expect(judgeSseEndpoint(named, stream)).toMatchObject({ kind: 'refused' })
})
