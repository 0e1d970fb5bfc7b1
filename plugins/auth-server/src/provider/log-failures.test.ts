import { silentLog } from '@junctor/plugin-sdk'
import { JunctorError } from '@junctor/plugin-sdk/link'
import { startHttpServer } from '@junctor/testkit/http'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { Provider } from 'oidc-provider'
import { expect, onTestFinished, test, vi } from 'vitest'
import { logFailures } from './log-failures.ts'

/** A library whose middleware does this, and what is logged and printed. */
async function serve(answer: () => Promise<unknown>) {
  const log = { ...silentLog, error: vi.fn<typeof silentLog.error>(), warn: vi.fn<typeof silentLog.warn>() }
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => printed.mockRestore())
  const provider = new Provider('http://127.0.0.1', { cookies: { keys: ['a key'] } })
  provider.use(answer)
  logFailures(provider, log)
  const library = provider.callback()
  const { server, origin, port, close } = await startHttpServer(library)
  onTestFinished(close)
  return { server, origin, port, log, printed }
}

test('a connection that its client resets is no failure', async () => {
  const gone = Promise.withResolvers<void>()
  const { server, port, log, printed } = await serve(() => gone.promise)
  const client = connect(port, '127.0.0.1')
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  const [request] = (await once(server, 'request')) as [IncomingMessage]
  const closed = new Promise((resolve) => void request.socket.once('close', resolve))
  client.resetAndDestroy()
  await closed
  gone.resolve()
  expect(request.socket.errored).toMatchObject({ code: 'ECONNRESET' })
  expect(printed).not.toHaveBeenCalled()
  expect(log.error).not.toHaveBeenCalled()
})

test('an error of the library itself is logged, and is not printed', async () => {
  const { origin, log, printed } = await serve(() => Promise.reject(new Error('a fault')))
  expect((await fetch(origin)).status).toBe(500)
  const error: unknown = expect.objectContaining({ message: 'a fault' })
  expect(log.error.mock.calls).toEqual([['the authorization server has failed', { error }]])
  expect(printed).not.toHaveBeenCalled()
})

test('requests that cannot be answered while the storage is away do not fill the log', async () => {
  const { origin, log } = await serve(() => Promise.reject(new JunctorError('FABRIC_UNAVAILABLE', 'NATS is away')))
  await fetch(origin)
  await fetch(origin)
  const reason: unknown = expect.stringContaining('NATS is away')
  expect(log.warn.mock.calls).toEqual([['the authorization server cannot answer now', { reason, requests: 1 }]])
  expect(log.error).not.toHaveBeenCalled()
})
