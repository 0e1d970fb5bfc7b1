import { describe, expect, test } from 'vitest'
import { startFront } from '../../test/front-fixture.ts'
import { callOf, send } from '../../test/http-fixture.ts'

const accept = 'text/event-stream'
const three = (message: object): string => JSON.stringify({ jsonrpc: '3.0', ...message })
const call = three({ id: 7, method: 'wait' })

describe('a client of JSON-RPC 3.0 that takes streams of events only', () => {
  test('gets a single answer as a stream of one event', async () => {
    const { gateway, port } = await startFront()
    const answer = send(port, { headers: { accept }, body: call })
    void (await gateway.round()).sink.send('{"answer":1}', true)
    const { status, headers, text } = await answer
    expect({ status, text }).toEqual({ status: 200, text: 'data: {"answer":1}\n\n' })
    expect(headers['content-type']).toBe('text/event-stream')
  })

  test('gets a stream unchanged', async () => {
    const { gateway, port } = await startFront()
    const answer = send(port, { headers: { accept }, body: call })
    const { sink } = await gateway.round()
    void sink.send('{"piece":1}', false)
    void sink.send('{"answer":1}', true)
    expect((await answer).text).toBe('data: {"piece":1}\n\ndata: {"answer":1}\n\n')
  })

  test('gets the answers of a batch as one event', async () => {
    const { gateway, port } = await startFront()
    const session = gateway.open('2025-03-26')
    const batch = `[${three({ id: 1, method: 'wait' })},${three({ id: 2, method: 'wait' })}]`
    const answer = send(port, { session, headers: { accept }, body: batch })
    for (const id of [1, 2]) {
      // oxlint-disable-next-line no-await-in-loop
      void (await gateway.round()).sink.send(`{"jsonrpc":"3.0","id":${id}}`, true)
    }
    expect((await answer).text).toBe('data: [{"jsonrpc":"3.0","id":1},{"jsonrpc":"3.0","id":2}]\n\n')
  })

  test.each([
    [400, '{"refused":true}'],
    [202, '{"status":"queued"}'],
  ])('receives the JSON body of a status %i', async (status, text) => {
    const { gateway, port } = await startFront()
    const answer = send(port, { headers: { accept }, body: call })
    void (await gateway.round()).sink.send(text, true, undefined, status)
    expect(await answer).toMatchObject({ status, text, headers: { 'content-type': 'application/json' } })
  })

  test('has its notifications accepted', async () => {
    const { gateway, port } = await startFront()
    const answer = await send(port, { headers: { accept }, body: three({ method: 'x' }) })
    expect(answer).toMatchObject({ status: 202, text: '' })
    expect(gateway.received).toHaveLength(1)
  })
})

test('a request of 2.0 is refused with its id', async () => {
  const { gateway, port } = await startFront()
  const answer = await send(port, { headers: { accept }, body: callOf('wait') })
  expect(answer.status).toBe(406)
  expect(JSON.parse(answer.text)).toMatchObject({
    jsonrpc: '2.0',
    id: 1,
    error: { data: { reason: 'not_acceptable' } },
  })
  expect(gateway.received).toEqual([])
})

test('a notification of 2.0 is refused by its status alone', async () => {
  const { gateway, port } = await startFront()
  const answer = await send(port, { headers: { accept }, body: '{"jsonrpc":"2.0","method":"x"}' })
  expect(answer).toMatchObject({ status: 406, text: '' })
  expect(gateway.received).toEqual([])
})
