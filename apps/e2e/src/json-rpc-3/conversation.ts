import { eventually } from '@junctor/testkit'
import { expect } from 'vitest'
import type { JsonObject, JsonValue } from '@junctor/jsonrpc'
import type { Puppet, PuppetCall } from './puppet.ts'
import type { TextWire } from './text-wire.ts'

/** A conversation as the document prints it: lines of a client begin with `-->`, those of a server with `<--`. */
export interface PrintedConversation {
  readonly name: string
  readonly printed: string
  /**
   * The extensions that are negotiated first. Over HTTP, that also opens the session that a cancel needs. Absent: no
   * negotiation.
   */
  readonly extensions?: readonly string[]
}

type Id = string | number

/**
 * Runs a conversation through the gateway. The client's messages are sent with their exact text. The puppet behind the
 * gateway sends the server's messages, which must arrive in the form of section 6. A message that only the gateway can
 * send (the end of an aborted stream) is only awaited.
 */
export async function converse(
  { printed, extensions }: PrintedConversation,
  wire: TextWire,
  puppet: Puppet,
): Promise<void> {
  const received: JsonObject[] = []
  wire.onText((text) => void received.push(JSON.parse(text) as JsonObject))
  if (extensions !== undefined) {
    await wire.send(JSON.stringify({ jsonrpc: '3.0', method: 'rpc.extensions', params: { extensions }, id: 'agree' }))
    await eventually(() => expect(received).toEqual([{ jsonrpc: '3.0', id: 'agree', result: { extensions } }]))
    received.length = 0
  }
  const calls = new Map<Id, PuppetCall>()
  const expected: JsonObject[] = []
  const sending: Promise<void>[] = []
  for (const line of printed.trim().split('\n')) {
    const [, side, text = ''] = /^\s*(-->|<--) (.*)$/.exec(line) ?? []
    if (side === undefined) continue
    if (side === '-->') {
      const before = puppet.calls.length
      sending.push(wire.send(text))
      const { id } = JSON.parse(text) as { id?: Id }
      // oxlint-disable-next-line no-await-in-loop
      if (id !== undefined) calls.set(id, await eventually(() => theCall(puppet, before)))
      continue
    }
    const message = JSON.parse(text) as JsonObject
    play(calls.get(idOf(message)), message)
    expected.push(canonical(message))
    // oxlint-disable-next-line no-await-in-loop
    await eventually(() => expect(received).toHaveLength(expected.length))
  }
  await Promise.all(sending)
  expect(received).toEqual(expected.map((message) => withTitle(message)))
}

function theCall({ calls }: Puppet, index: number): PuppetCall {
  const call = calls[index]
  if (call === undefined) throw new Error('Expected the call to reach the backend')
  return call
}

/**
 * Makes the backend send the message of a line. An error is sent by the gateway itself, which reports the cancelled
 * call.
 */
function play(call: PuppetCall | undefined, message: JsonObject): void {
  const ack = message['ack'] as JsonObject | undefined
  if (call === undefined || message['error'] !== undefined) return
  if (ack?.['progress'] !== undefined) call.exchange.progress(ack as { progress: number; total?: number })
  else if (ack !== undefined) call.exchange.ack()
  else if (message['result'] !== undefined) call.finish(message['result'])
  else void call.exchange.chunk(dataOf(message))
}

function idOf({ id, stream, ack }: JsonObject): Id {
  return (id ?? (stream as JsonObject | undefined)?.['id'] ?? (ack as JsonObject | undefined)?.['id']) as Id
}

function dataOf({ data, stream }: JsonObject): JsonValue | undefined {
  return data ?? (stream as JsonObject | undefined)?.['data']
}

/** Section 11 prints the pieces of a stream beside `stream`; section 6 puts them inside. */
function canonical({ data, ...message }: JsonObject): JsonObject {
  return data === undefined ? message : { ...message, stream: { ...(message['stream'] as JsonObject), data } }
}

/** Section 11 prints errors without the title that section 5.2 requires. */
function withTitle({ error, ...message }: JsonObject): JsonObject {
  if (error === undefined) return message
  return { ...message, error: expect.objectContaining({ title: expect.any(String), ...(error as JsonObject) }) }
}
