import { eventually } from '@junctor/testkit'
import { connect } from 'node:net'
import { type ErrorReporter, silentLog } from '@junctor/contracts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startFront } from '../../test/front-fixture.ts'
import { callOf, send, start } from '../../test/http-fixture.ts'
import { ConnectionRoom } from './serving/connection-room.ts'

// An exception outside any caller is reported, and affects no other request.

const broken = new Error('broken')
const breaks = (): never => {
  throw broken
}

async function startGuarded(options: Parameters<typeof startFront>[0] = {}) {
  const reportError = vi.fn<ErrorReporter>()
  const started = await startFront(options)
  Object.assign(started.gateway, { reportError })
  return { ...started, reportError }
}

test('a connection whose setup throws is closed', async () => {
  const { port, reportError } = await startGuarded()
  const take = vi.spyOn(ConnectionRoom.prototype, 'take').mockImplementationOnce(breaks)
  onTestFinished(() => take.mockRestore())
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  await eventually(() => expect(socket.destroyed || socket.readableEnded).toBe(true))
  expect(reportError.mock.calls).toEqual([['connection', broken, { transport: 'http' }]])
  expect((await send(port, { body: callOf('echo', {}) })).status).toBe(200)
})

test('a body that is too large is answered even when the refusal throws', async () => {
  const { gateway, port, reportError } = await startGuarded({ limits: { body: 100 } })
  const refuse = gateway.refuse.bind(gateway)
  gateway.refuse = (situation, ...rest) => (situation === 'too_large' ? breaks() : refuse(situation, ...rest))
  const headers = { 'transfer-encoding': 'chunked' }
  const body = JSON.stringify({ jsonrpc: '3.0', id: 1, method: 'x'.repeat(1_000) })
  expect((await send(port, { headers, body })).status).toBe(500)
  expect(reportError.mock.calls).toEqual([['request', broken, { transport: 'http' }]])
})

test('an exception when the credentials of a stream expire is reported', async () => {
  const debug = (message: string): void => void (message.includes('outlived') && breaks())
  const { gateway, port, reportError } = await startGuarded({ log: { ...silentLog, debug } })
  gateway.expires = Date.now() + 200
  const headers = { accept: 'text/event-stream', 'content-type': undefined }
  const answered = start(port, { method: 'GET', session: gateway.open('2025-11-25'), headers })
  const { sink } = await gateway.round()
  sink.open()
  const response = await answered
  onTestFinished(() => void response.destroy())
  await eventually(() => expect(reportError.mock.calls.length > 0).toBe(true))
  expect(reportError.mock.calls).toEqual([['timer', broken, { transport: 'http' }]])
})
