import type { Receiver, Transport } from '@junctor/contracts'
import { type Message, payloadFromText, payloadOf, printMessage, requestId } from '@junctor/jsonrpc'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createWireRecorder, type WireRecorder } from './wire-recorder.ts'

/** A transport whose peer sends back every message that it gets, and the levers of that peer. */
export interface EchoedTransport {
  readonly transport: Transport
  /** The peer reads nothing any more, until `resume`. */
  stall(): void
  resume(): void
  /** The peer is gone, without a word; it may be stalled when this happens. */
  destroy(): void
  /** Clears up what the transport itself does not own. Called after each test, when the transport is closed. */
  dispose(): Promise<void>
}

/** More than any system buffers by itself, so that a peer that does not read is noticed. */
const floodCharacters = 16 * 1024 * 1024

/** What every implementation of `Transport` does. Each test opens a connection of its own. */
export function describeTransport(
  name: string,
  create: (receiver: Receiver) => EchoedTransport | Promise<EchoedTransport>,
): void {
  describe(`${name} is a transport`, () => {
    let wire: WireRecorder
    let echoed: EchoedTransport
    let transport: Transport

    beforeEach(async () => {
      wire = createWireRecorder()
      echoed = await create(wire.receiver())
      transport = wire.transport(echoed.transport)
    })

    afterEach(async () => {
      await transport.close()
      await echoed.dispose()
    })

    test('messages arrive in the order in which they were sent', async () => {
      for (let count = 0; count < 1_000; count += 1) await transport.send(notification({ count }))
      await wire.untilReceived(1_000)
      expect(wire.texts('received')).toEqual(wire.texts('sent'))
    })

    test.each(Object.entries(samples))('%s arrives as it was sent', async (_name, message) => {
      await transport.send(message)
      await wire.untilReceived(1)
      expect(wire.texts('received')).toEqual([printMessage(message, { nullId: true })])
    })

    test('a message of several megabytes arrives whole, and the next one after it', async () => {
      await transport.send(notification({ large: 'ä€😀"\\'.repeat(500_000) }))
      await transport.send(notification({ small: true }))
      await wire.untilReceived(2)
      expect(wire.texts('received')).toEqual(wire.texts('sent'))
    })

    test('a peer that reads nothing makes its sender wait, and loses nothing', async () => {
      echoed.stall()
      const wait = flood(transport)
      expect(wait).toBeInstanceOf(Promise)
      echoed.resume()
      await wait
      const sent = wire.texts('sent')
      await wire.untilReceived(sent.length)
      expect(wire.texts('received')).toEqual(sent)
    })

    test('a sender that waits for a peer is released when the peer is gone', async () => {
      echoed.stall()
      const wait = flood(transport)
      expect(wait).toBeInstanceOf(Promise)
      echoed.destroy()
      await wait
      await expect(transport.closed).resolves.toBeInstanceOf(Error)
    })

    test('a peer that is gone shows in `closed`, with an error', async () => {
      await transport.send(notification({}))
      await wire.untilReceived(1)
      echoed.destroy()
      await expect(transport.closed).resolves.toBeInstanceOf(Error)
    })

    test('`close` resolves `closed`, without an error', async () => {
      await transport.close()
      await expect(transport.closed).resolves.toBeUndefined()
    })

    test('`close` with a reason resolves `closed` with it', async () => {
      const reason = new Error('no longer needed')
      await transport.close(reason)
      await expect(transport.closed).resolves.toBe(reason)
    })

    test('closing twice, or at the same time, is closing once', async () => {
      await Promise.all([transport.close(), transport.close(new Error('too late'))])
      await transport.close()
      await expect(transport.closed).resolves.toBeUndefined()
    })

    test('closing after the peer is gone changes nothing', async () => {
      echoed.destroy()
      const error = await transport.closed
      await transport.close()
      await expect(transport.closed).resolves.toBe(error)
    })

    test('closing releases a sender that waits', async () => {
      echoed.stall()
      const wait = flood(transport)
      expect(wait).toBeInstanceOf(Promise)
      await Promise.all([transport.close(), wait])
    })

    test('sending after closing is harmless', async () => {
      await transport.close()
      await expect(Promise.resolve(transport.send(notification({})))).resolves.toBeUndefined()
    })

    test('sending after the peer is gone is harmless', async () => {
      echoed.destroy()
      await transport.closed
      await expect(Promise.resolve(transport.send(notification({})))).resolves.toBeUndefined()
    })

    test('nothing is received after closing', async () => {
      void transport.send(notification({}))
      await transport.close()
      expect(wire.texts('received')).toEqual([])
    })
  })
}

/** Sends without waiting until the transport asks to, or far too much was sent. */
function flood(transport: Transport): Promise<void> | undefined {
  const text = 'x'.repeat(64 * 1024)
  for (let sent = 0; sent < floodCharacters; sent += text.length) {
    const wait = transport.send(notification({ text }))
    if (wait !== undefined) return wait
  }
  return undefined
}

function notification(params: Parameters<typeof payloadOf>[0]): Message {
  return { kind: 'notification', dialect: '2.0', method: 'notifications/sample', params: payloadOf(params) }
}

/** One message of each kind, with what is easily lost on the way. */
const samples: Readonly<Record<string, Message>> = {
  'a request with a number for its id': {
    kind: 'request',
    dialect: '2.0',
    id: requestId(0),
    method: 'tools/call',
    params: payloadOf({ name: 'echo', arguments: { empty: '', none: null, no: false } }),
  },
  'a request with a string for its id': {
    kind: 'request',
    dialect: '2.0',
    id: requestId(''),
    method: 'ping',
    params: undefined,
  },
  'a notification with all kinds of characters': notification({ text: 'ä € 😀 \u2028\u2029 \u0000 \n \r " \\ \uFEFF' }),
  'a result with numbers that no double can hold': {
    kind: 'result',
    dialect: '2.0',
    id: requestId(1),
    result: payloadFromText('{"large":9007199254740993,"exact":1.10}'),
  },
  'an error with data': {
    kind: 'error',
    dialect: '2.0',
    id: requestId('1'),
    error: { code: -32000, message: 'no', data: payloadOf({ reason: 'because' }) },
  },
  'an error without an id': {
    kind: 'error',
    dialect: '2.0',
    id: undefined,
    error: { code: -32700, message: 'Parse error' },
  },
}
