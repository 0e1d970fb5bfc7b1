import type { Receiver } from '@junctor/contracts'
import { expect, test } from 'vitest'
import { describeTransport, type EchoedTransport } from './describe-transport.ts'
import { createTransportPair } from './transport-pair.ts'
import { createWireRecorder } from './wire-recorder.ts'

function createEchoedPair(receiver: Receiver): EchoedTransport {
  const { left, right } = createTransportPair(receiver, { message: (message) => void right.send(message) })
  return {
    transport: left,
    stall: () => right.pause(),
    resume: () => right.resume(),
    destroy: () => void right.close(),
    dispose: () => right.close(),
  }
}

describeTransport('an in-memory pair', createEchoedPair)

test('messages cross in a later turn, so that an answer never comes before the request was sent', async () => {
  const wire = createWireRecorder()
  const { left, right } = createTransportPair({ message() {} }, wire.receiver())
  void left.send({ kind: 'notification', dialect: '2.0', method: 'a', params: undefined })
  expect(wire.frames).toEqual([])
  await wire.untilReceived(1)
  await right.close()
})
