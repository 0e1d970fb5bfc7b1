import type { Receiver, Transport } from '@junctor/contracts'
import { type Message, payloadFromText, payloadOf, printMessage, requestId } from '@junctor/jsonrpc'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createWireRecorder, type WireRecorder } from './wire-recorder.ts'

/** A transport whose peer sends back every message, and the controls of that peer. */
export interface EchoedTransport {
  readonly transport: Transport
  /** The peer stops reading, until `resume`. */
  stall(): void
  resume(): void
  /** The peer disconnects without a close; it may be stalled at that time. */
  destroy(): void
  /** Cleans up what the transport itself does not own. Called after each test, when the transport is closed. */
  dispose(): Promise<void>
}

/** More characters than any system buffers, so that a peer that does not read is noticed. */
const floodCharacters = 16 * 1024 * 1024

/** The contract suite for implementations of `Transport`. Each test opens its own connection. */
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

    test.each(Object.entries(samples))('%s arrives unchanged', async (_name, message) => {
      await transport.send(message)
      await wire.untilReceived(1)
      expect(wire.texts('received')).toEqual([printMessage(message, { nullId: true })])
    })

    test('a message of several megabytes arrives completely, followed by the next one', async () => {
      await transport.send(notification({ large: 'ä€😀"\\'.repeat(500_000) }))
      await transport.send(notification({ small: true }))
      await wire.untilReceived(2)
      expect(wire.texts('received')).toEqual(wire.texts('sent'))
    })

    test('a peer that does not read makes its sender wait, and no message is lost', async () => {
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

    test('when the peer is gone, `closed` resolves with an error', async () => {
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

    test('closing twice, or concurrently, closes once', async () => {
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

/** Sends without waiting until the transport returns a promise, or far too much was sent. */
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

/** One message of each kind, with content that is easily lost in transmission. */
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
  'a result with numbers that a double cannot represent': {
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
