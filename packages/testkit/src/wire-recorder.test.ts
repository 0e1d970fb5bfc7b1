import type { Message } from '@junctor/jsonrpc'
import { expect, test } from 'vitest'
import { createTransportPair } from './transport-pair.ts'
import { createWireRecorder } from './wire-recorder.ts'

const ping: Message = { kind: 'notification', dialect: '2.0', method: 'ping', params: undefined }
const text = '{"jsonrpc":"2.0","method":"ping"}'

test('both directions are recorded, in order, and passed on', async () => {
  const wire = createWireRecorder()
  const passedOn: Message[] = []
  const pair = createTransportPair(wire.receiver({ message: (message) => passedOn.push(message) }), {
    message: (message) => void pair.right.send(message),
  })
  await wire.transport(pair.left).send(ping)
  await wire.untilReceived(1)
  expect(wire.frames.map(({ direction }) => direction)).toEqual(['sent', 'received'])
  expect(wire.texts('sent')).toEqual([text])
  expect(wire.texts('received')).toEqual([text])
  expect(passedOn).toEqual([ping])
  await pair.left.close()
})

test('the error of waiting in vain contains the received messages', async () => {
  const wire = createWireRecorder()
  wire.receiver().message(ping)
  await wire.untilReceived(1)
  await expect(wire.untilReceived(2, 10)).rejects.toThrow('Expected 2 messages, got 1')
})
