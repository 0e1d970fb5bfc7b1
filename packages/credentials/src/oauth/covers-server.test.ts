import { expect, it } from 'vitest'
import { coversServer } from './covers-server.ts'

const server = 'https://api.example/team/mcp'

it.each([
  [server, true],
  [`${server}/`, true],
  ['https://api.example/team', true],
  ['https://api.example', true],
  ['https://api.example/team/mcp/v2', false],
  ['https://api.example/tea', false],
  ['https://other.example/team/mcp', false],
  ['https://api.example:8443/team/mcp', false],
  ['http://api.example/team/mcp', false],
  ['no URL', false],
])('a token of %s may go to the server: %s', (resource, isCovered) => {
  expect(coversServer(resource, server)).toBe(isCovered)
})
