import type { Transport } from '@junctor/contracts'
import type { Message } from '@junctor/jsonrpc'
import { expect, test } from 'vitest'
import { createWireRecorder } from './wire-recorder.ts'

const ping: Message = { kind: 'notification', dialect: '2.0', method: 'ping', params: undefined }
const text = '{"jsonrpc":"2.0","method":"ping"}'

test('both directions are recorded, in order, and passed on', async () => {
  const wire = createWireRecorder()
  const passedOn: Message[] = []
  const receiver = wire.receiver({ message: (message) => passedOn.push(message) })
  const echo: Transport = {
    closed: Promise.resolve(undefined),
    send: async (message) => receiver.message(message),
    close: () => Promise.resolve(),
  }
  await wire.transport(echo).send(ping)
  await wire.untilReceived(1)
  expect(wire.frames.map(({ direction }) => direction)).toEqual(['sent', 'received'])
  expect(wire.texts('sent')).toEqual([text])
  expect(wire.texts('received')).toEqual([text])
  expect(passedOn).toEqual([ping])
})

test('the error of waiting in vain contains the received messages', async () => {
  const wire = createWireRecorder()
  wire.receiver().message(ping)
  await wire.untilReceived(1)
  await expect(wire.untilReceived(2, 10)).rejects.toThrow('Expected 2 messages, got 1')
})
