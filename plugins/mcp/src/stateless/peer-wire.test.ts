import { type Message, type Notification, payloadOf, type Response, type Transport } from '@junctor/plugin-sdk/link'
import { expect, test, vi } from 'vitest'
import { PeerWire } from './peer-wire.ts'

const noted = (method: string): Notification => ({ kind: 'notification', dialect: '2.0', method, params: undefined })

function open(unrelated: (notification: Notification) => void) {
  const sent: Message[] = []
  const closed = Promise.withResolvers<Error | undefined>()
  const transport: Transport = {
    closed: closed.promise,
    send: (message) => void sent.push(message),
    close: async () => closed.resolve(undefined),
  }
  const failed = vi.fn<(error: unknown) => void>()
  return { wire: new PeerWire(transport, unrelated, failed), failed, sent }
}

test('an error of what handles a message does not reach the transport, and later messages are handled', async () => {
  const handled: string[] = []
  const { wire, failed } = open(({ method }) => {
    handled.push(method)
    if (method === 'bad') throw new Error('a handler failed')
  })
  expect(() => wire.message(noted('bad'))).not.toThrow()
  expect(failed).toHaveBeenCalledWith(new Error('a handler failed'))
  wire.message(noted('good'))
  expect(handled).toEqual(['bad', 'good'])
  await wire.close()
})

test('an error of what takes an answer is reported', async () => {
  const { wire, failed } = open(() => {})
  const listener = {
    notification() {},
    failed() {},
    answered() {
      throw new Error('an answer failed')
    },
  }
  const { id } = wire.send('tools/list', payloadOf({}), listener)
  expect(() => wire.message({ kind: 'result', dialect: '2.0', id, result: payloadOf({}) })).not.toThrow()
  expect(failed).toHaveBeenCalledWith(new Error('an answer failed'))
  await wire.close()
})

test('a subscription that the server cancels is over, and no other request is', async () => {
  const { wire } = open(() => {})
  const answered = vi.fn<(response: Response) => void>()
  const listener = { notification() {}, failed() {}, answered }
  const list = wire.send('tools/list', payloadOf({}), listener)
  const { id } = wire.send('subscriptions/listen', payloadOf({ notifications: {} }), listener)
  for (const cancelled of [list.id, id, id]) {
    wire.message({ ...noted('notifications/cancelled'), params: payloadOf({ requestId: JSON.parse(cancelled) }) })
  }
  expect(answered).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ kind: 'result', id }))
  await wire.close()
})
