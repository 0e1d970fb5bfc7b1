import { expect, test } from 'vitest'
import { startFront } from '../../test/front-fixture.ts'
import { send } from '../../test/http-fixture.ts'

test('a client can end its session', async () => {
  const { gateway, port } = await startFront()
  const session = gateway.open('2025-11-25')
  const answer = await send(port, { method: 'DELETE', session })
  expect(answer).toMatchObject({ status: 204, text: '' })
  expect(answer.headers).not.toHaveProperty('content-length')
  expect(gateway.sessions.size).toBe(0)
  expect(await send(port, { method: 'DELETE', session })).toMatchObject({ status: 404 })
})

test.each([
  ['no session', { session: undefined }, 400, 'session_missing'],
  ['an unknown one', { headers: { 'mcp-session-id': 'x' } }, 404, 'session_unknown'],
  ['a foreign one', { headers: { authorization: 'Bearer mallory' } }, 404, 'session_unknown'],
  ['another tenant’s', { path: '/mcp/acme' }, 404, 'session_unknown'],
])('of %s it ends nothing', async (_name, bad, status, reason) => {
  const { gateway, port } = await startFront()
  const answer = await send(port, { method: 'DELETE', session: gateway.open('2025-11-25'), ...bad })
  expect(answer).toMatchObject({ status, text: expect.stringContaining(reason) })
  expect(gateway.sessions.size).toBe(1)
})

test('details of an exception in the store are not sent', async () => {
  const { gateway, port } = await startFront()
  const answer = await send(port, { method: 'DELETE', session: gateway.open('2025-03-26') })
  expect(answer.status).toBe(500)
  expect(answer.text).not.toContain('secret')
})
