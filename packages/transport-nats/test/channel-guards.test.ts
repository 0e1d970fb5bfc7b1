import { silentLog } from '@junctor/contracts'
import { eventually } from '@junctor/testkit'
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Channel } from '../src/channel.ts'
import { createOpenings } from '../src/front/openings.ts'
import { defaultFrontLimits } from '../src/options.ts'
import { whenLost } from '../src/when-lost.ts'

const broken = new Error('broken')
const breaks = (): never => {
  throw broken
}

type Receive = (error: Error | null, message: Msg) => void

/** A fake connection: the test emits its messages. */
function createConnection(): { readonly connection: NatsConnection; readonly receive: Receive } {
  let subscribed: Receive | undefined
  const connection = {
    subscribe(_subject: string, { callback }: { callback: Receive }): Partial<Subscription> {
      subscribed = callback
      return { unsubscribe() {}, isClosed: () => true }
    },
    isClosed: () => false,
    isDraining: () => false,
    publish: breaks,
    async *status() {
      yield { type: 'disconnect' }
    },
  }
  return { connection: connection as unknown as NatsConnection, receive: (...args) => subscribed?.(...args) }
}

const message = (text: string): Msg => ({ data: Buffer.from(text), reply: 'back' }) as unknown as Msg

test('an exception of a reader in `text` or `over` is reported, and goes no further', () => {
  const { connection, receive } = createConnection()
  const failed: unknown[] = []
  const parts = { connection, receivesOn: 'here', sendsOn: 'there', limits: defaultFrontLimits }
  const reader = { text: breaks, unreadable: breaks, over: breaks, failed: (error: unknown) => void failed.push(error) }
  expect(new Channel({ ...parts, reader }).slow).toBeUndefined()
  receive(null, message('one'))
  // The channel did not stop at the message that threw.
  receive(null, message('two'))
  receive(new Error('no right to'), message(''))
  expect(failed).toEqual([broken, broken, broken])
})

test('a channel on a connection that drains leaves no timer behind', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const connection = { ...createConnection().connection, subscribe: breaks }
  const parts = { connection, receivesOn: 'here', sendsOn: 'there', limits: defaultFrontLimits }
  const reader = { text() {}, unreadable() {}, over() {}, failed: breaks }
  expect(() => new Channel({ ...parts, reader })).toThrow(broken)
  expect(vi.getTimerCount()).toBe(0)
})

test('an exception while a peer is looked for, or pinged, is reported', async () => {
  const { connection } = createConnection()
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const parts = { connection, receivesOn: 'here', sendsOn: 'there', limits: defaultFrontLimits }
  const reader = { text() {}, unreadable() {}, over() {}, failed: resolve }
  const channel = new Channel({ ...parts, join: { ms: 1_000, joined() {} }, reader })
  expect(await promise).toBe(broken)
  channel.lose()
})

test('an exception of `lost` is reported', async () => {
  const { connection } = createConnection()
  const { promise, resolve } = Promise.withResolvers<unknown>()
  whenLost(connection, breaks, resolve)
  expect(await promise).toBe(broken)
})

test('a request for a channel that throws does not prevent the next ones', async () => {
  const { connection, receive } = createConnection()
  const errors: unknown[] = []
  createOpenings({
    connection,
    cluster: 'test',
    front: { authenticate: breaks, refuse: breaks, reportError: (_where, error) => void errors.push(error) },
    log: silentLog,
    accept: breaks,
  })
  receive(null, undefined as unknown as Msg)
  // The credentials of this client make the authenticator throw, and then the refusal.
  const own = { subject: 'mcp.v1.test.default.billing.open', reply: 'mcp.v1.test.default.billing.reply.1' }
  receive(null, own as unknown as Msg)
  await eventually(() => expect(errors).toHaveLength(3))
  expect(errors.toSorted((one, other) => String(one).localeCompare(String(other)))).toEqual([
    broken,
    broken,
    expect.any(TypeError),
  ])
})
