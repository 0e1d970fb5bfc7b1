import type { Config } from '@junctor/config'
import { expect, test } from 'vitest'
import { endpointUrl } from './endpoint-url.ts'

const auth = (...audience: string[]): Config['auth'] => ({
  apiKeys: [],
  anonymous: false,
  issuer: {
    issuer: 'https://id.example.com',
    audience,
    algorithms: ['ES256'],
    jwksUri: undefined,
    type: undefined,
    scopes: [],
    toolScopes: {},
    introspection: undefined,
  },
})

test.each([
  ['https://gw.example.com', auth('https://other.example.com/mcp'), 'https://gw.example.com/mcp'],
  [undefined, auth('api://gateway', 'https://gw.example.com/mcp/'), 'https://gw.example.com/mcp'],
  [undefined, auth('urn:gateway', 'https://gw.example.com/mcp?a=b', 'https://gw.example.com#a'), undefined],
  [undefined, { apiKeys: [], anonymous: false, issuer: undefined }, undefined],
])('the endpoint of %s is at its URL', (publicUrl, given, url) => {
  expect(endpointUrl({ publicUrl, auth: given })).toBe(url)
})
