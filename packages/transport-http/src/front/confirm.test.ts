import { describe, expect, test, vi } from 'vitest'
import { startFront } from '../../test/front-fixture.ts'
import { callOf, send } from '../../test/http-fixture.ts'

const answerOf = (id: string): string => JSON.stringify({ jsonrpc: '2.0', id, result: {} })

describe.each([
  ['a response', '2025-11-25', answerOf('a')],
  ['a batch of responses', '2025-03-26', `[${answerOf('a')},${answerOf('b')}]`],
] as const)('%s that another node must get', (_name, revision, body) => {
  test('is confirmed when that node has it', async () => {
    const { gateway, port } = await startFront()
    const { promise, resolve } = Promise.withResolvers<boolean>()
    gateway.receive = () => promise
    let status: number | undefined
    const answer = send(port, { session: gateway.open(revision), body })
    void answer.then((one) => (status = one.status))
    // The front handles the next request of the same connection pool, and this one is still not answered.
    await send(port, { session: gateway.open(revision), body: '' })
    expect(status).toBeUndefined()
    resolve(true)
    expect(await answer).toMatchObject({ status: 202, text: '' })
  })

  test('is refused, to be sent again, when that is not certain', async () => {
    const { gateway, port } = await startFront()
    gateway.receive = async () => false
    const answer = await send(port, { session: gateway.open(revision), body })
    expect(answer).toMatchObject({ status: 503, text: '' })
  })

  test('is an internal error when the gateway fails', async () => {
    const { gateway, port } = await startFront()
    const reportError = vi.spyOn(gateway, 'reportError')
    gateway.receive = () => Promise.reject(new Error('a bug'))
    const answer = await send(port, { session: gateway.open(revision), body })
    expect(answer.status).toBe(500)
    expect(reportError).toHaveBeenCalledExactlyOnceWith('request', expect.any(Error), { transport: 'http' })
  })
})

test('the answers of a batch do not wait for its responses', async () => {
  const { gateway, port } = await startFront()
  const receive = gateway.receive.bind(gateway)
  gateway.receive = (message, from, sink) =>
    message.kind === 'request' ? receive(message, from, sink) : new Promise<boolean>(() => {})
  const body = `[${answerOf('a')},${callOf('echo', {}, 8)}]`
  const answer = await send(port, { session: gateway.open('2025-03-26'), body })
  expect(JSON.parse(answer.text)).toMatchObject([{ id: 8, result: {} }])
})
