import { createRequest } from '@junctor/testkit'
import type { CallContext } from '@junctor/exchange'
import { mcpProfile } from '@junctor/protocol'
import { expect, test } from 'vitest'
import { metaOf, requestView } from './request-view.ts'

const context: CallContext = {
  tenant: 'default',
  principal: { issuer: 'local', subject: 'local', key: 'local' },
  session: undefined,
  revision: '2025-11-25',
  client: { info: {}, capabilities: {} },
  trace: undefined,
}

function tokenOf(progressToken: unknown): unknown {
  const request = createRequest('tools/call', { name: 'x', _meta: { progressToken } as never })
  return requestView(request, metaOf(request), context, mcpProfile).progressToken
}

test.each(['p', '', 7, 0, 'x'.repeat(256)])('progress is sent with the token %j', (token) => {
  expect(tokenOf(token)).toBe(token)
})

test.each([['x'.repeat(257)], [null], [true], [{}]])('no progress is sent for the token %j', (token) => {
  expect(tokenOf(token)).toBeUndefined()
})
