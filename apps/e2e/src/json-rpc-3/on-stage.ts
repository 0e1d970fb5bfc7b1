import { eventually } from '@junctor/testkit'
import { expect } from 'vitest'
import { type JsonObject, type JsonValue, payloadOf } from '@junctor/jsonrpc'
import type { Cell } from '../cell.ts'
import { demo, inGateway, lean, type Scene } from '../in-gateway.ts'
import { openPeer, type OpenPeer } from './open-peer.ts'
import { createPuppet, type Puppet } from './puppet.ts'
import { openTextWire } from './text-wire.ts'

const methods = ['play.stream', 'play.task']

/** A gateway with its puppet, for a test. */
export interface Stage extends Scene {
  readonly puppet: Puppet
  /** Opens a client of 3.0. Over HTTP, its streams are lines. */
  readonly peer: () => Promise<OpenPeer>
  /** Sends texts unchanged, and waits for this many answers. */
  readonly say: (texts: readonly string[], answers: number) => Promise<readonly JsonValue[]>
}

/** Runs a body with a gateway in front of a puppet, the demo, and the server by hand. */
export async function onStage(cell: Cell, body: (stage: Stage) => Promise<void>): Promise<void> {
  const puppet = createPuppet(methods)
  // The test ends the calls, however busy the machine is.
  const backends = { puppet: { plugin: 'puppet', timeout: '10m' }, demo: demo(), lean: lean() }
  const closing: (() => Promise<void>)[] = []
  await inGateway(
    cell,
    backends,
    async (scene) => {
      const open = async (): ReturnType<typeof openTextWire> => {
        const wire = await openTextWire(scene.gateway, cell, 'lines')
        closing.push(() => wire.close())
        return wire
      }
      try {
        await body({
          ...scene,
          puppet,
          peer: async () => openPeer(await open()),
          async say(texts, answers) {
            const wire = await open()
            const received: JsonValue[] = []
            wire.onText((text) => void received.push(JSON.parse(text) as JsonValue))
            for (const text of texts) {
              // oxlint-disable-next-line no-await-in-loop
              await wire.send(text)
            }
            await eventually(() => expect(received).toHaveLength(answers))
            return received
          },
        })
      } finally {
        // After the end of standard input, the gateway waits for open calls.
        for (const call of puppet.calls) call.finish(null)
        await Promise.all(closing.map((close) => close()))
      }
    },
    { plugins: [puppet.plugin] },
  )
}

/** The text of a message of 3.0. */
export const request = (members: JsonObject): string => JSON.stringify({ jsonrpc: '3.0', ...members })

/** The response to a request. */
export async function answerTo(
  { peer }: OpenPeer,
  method: string,
  params?: JsonObject | readonly JsonValue[],
): Promise<unknown> {
  const response = await peer.request(method, params && payloadOf(params))
  return response.kind === 'result' ? response.result.value() : response.error
}

/** The call with this index, when it has reached the puppet. */
export function untilCall({ calls }: Puppet, index: number): Promise<Puppet['calls'][number]> {
  return eventually(() => {
    const call = calls[index]
    if (call === undefined) throw new Error('Expected the call to reach the backend')
    return call
  })
}
