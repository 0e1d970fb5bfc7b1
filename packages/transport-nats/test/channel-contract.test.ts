import { defaultClientChannelLimits } from '@junctor/connection'
import type { Receiver, Transport } from '@junctor/contracts'
import { parseFrame, printMessage } from '@junctor/jsonrpc'
import { describeTransport, type EchoedTransport, type NatsServer, startNatsServer } from '@junctor/testkit'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { afterAll, beforeAll, expect } from 'vitest'
import { Channel, type ChannelReader } from '../src/channel.ts'

let nats: NatsServer
beforeAll(async () => {
  nats = await startNatsServer({ jetStream: false })
})
afterAll(() => nats.stop())

const limits = { ...defaultClientChannelLimits, streamKeepAliveMs: 50, stalledMs: 10_000 }
let count = 0

async function createEchoed(receiver: Receiver): Promise<EchoedTransport> {
  count += 1
  const [here, there] = [`test.${count}.here`, `test.${count}.there`]
  const [mine, peers] = await Promise.all([connect({ servers: nats.url }), connect({ servers: nats.url })])
  const echo: Channel = new Channel({
    connection: peers,
    receivesOn: there,
    sendsOn: here,
    limits,
    reader: {
      text(text) {
        const slow = echo.send(text)
        if (slow === undefined) return
        echo.pause()
        void slow.then(() => echo.resume())
      },
      unreadable() {},
      over() {},
      failed: expect.unreachable,
    },
  })
  await peers.flush()
  return {
    transport: createTransport(mine, here, there, receiver),
    stall: () => echo.pause(),
    resume: () => echo.resume(),
    destroy: () => void peers.close(),
    async dispose() {
      await Promise.all([mine.close(), peers.close()])
    },
  }
}

/** A channel as a `Transport`, for the contract suite. */
function createTransport(
  connection: NatsConnection,
  receivesOn: string,
  sendsOn: string,
  receiver: Receiver,
): Transport {
  const closed = Promise.withResolvers<Error | undefined>()
  const reader: ChannelReader = {
    text(text) {
      const frame = parseFrame(text)
      if (frame.kind === 'message') receiver.message(frame.message)
    },
    unreadable() {},
    over: ({ reason, own }) => closed.resolve(own ? undefined : new Error(reason)),
    failed: expect.unreachable,
  }
  const channel = new Channel({ connection, receivesOn, sendsOn, limits, reader })
  return {
    closed: closed.promise,
    send: (message) => channel.send(printMessage(message, { nullId: true })),
    async close(reason) {
      if (reason !== undefined) closed.resolve(reason)
      channel.close('done')
    },
  }
}

describeTransport('a channel on NATS', createEchoed)
