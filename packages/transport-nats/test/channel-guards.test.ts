import { silentLog } from '@junctor/contracts'
import { eventually } from '@junctor/testkit'
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node'
import { expect, test } from 'vitest'
import { Channel } from '../src/channel.ts'
import { createOpenings } from '../src/front/openings.ts'
import { defaultFrontLimits } from '../src/options.ts'
import { whenLost } from '../src/when-lost.ts'

const broken = new Error('broken')
const breaks = (): never => {
  throw broken
}

type Hear = (error: Error | null, message: Msg) => void

/** A connection that never was one: what comes on it is what the test says. */
function createConnection(): { readonly connection: NatsConnection; readonly hear: Hear } {
  let heard: Hear | undefined
  const connection = {
    subscribe(_subject: string, { callback }: { callback: Hear }): Partial<Subscription> {
      heard = callback
      return { unsubscribe() {}, isClosed: () => true }
    },
    isClosed: () => false,
    isDraining: () => false,
    publish: breaks,
    async *status() {
      yield { type: 'disconnect' }
    },
  }
  return { connection: connection as unknown as NatsConnection, hear: (...args) => heard?.(...args) }
}

const message = (text: string): Msg => ({ data: Buffer.from(text), reply: 'back' }) as unknown as Msg

test('what a reader throws at a message, and at the end, is told, and goes no further', () => {
  const { connection, hear } = createConnection()
  const failed: unknown[] = []
  const parts = { connection, hears: 'here', speaks: 'there', limits: defaultFrontLimits }
  const reader = { text: breaks, unreadable: breaks, over: breaks, failed: (error: unknown) => void failed.push(error) }
  expect(new Channel({ ...parts, reader }).slow).toBeUndefined()
  hear(null, message('one'))
  // It did not stop at the one that broke.
  hear(null, message('two'))
  hear(new Error('no right to'), message(''))
  expect(failed).toEqual([broken, broken, broken])
})

test('what throws when a peer is looked for, or asked for a sign of life, is told', async () => {
  const { connection } = createConnection()
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const parts = { connection, hears: 'here', speaks: 'there', limits: defaultFrontLimits }
  const reader = { text() {}, unreadable() {}, over() {}, failed: resolve }
  const channel = new Channel({ ...parts, join: { ms: 1_000, joined() {} }, reader })
  expect(await promise).toBe(broken)
  channel.lose()
})

test('what is thrown at a lost connection is told', async () => {
  const { connection } = createConnection()
  const { promise, resolve } = Promise.withResolvers<unknown>()
  whenLost(connection, breaks, resolve)
  expect(await promise).toBe(broken)
})

test('an opening that breaks keeps no other from being heard', async () => {
  const { connection, hear } = createConnection()
  const errors: unknown[] = []
  createOpenings({
    connection,
    cluster: 'test',
    front: { authenticate: breaks, refuse: breaks, caught: (_where, error) => void errors.push(error) },
    log: silentLog,
    accept: breaks,
  })
  hear(null, undefined as unknown as Msg)
  // Its client has credentials that break what judges them, and then what refuses it.
  const own = { subject: 'mcp.v1.test.default.billing.open', reply: 'mcp.v1.test.default.billing.reply.1' }
  hear(null, own as unknown as Msg)
  await eventually(() => expect(errors).toHaveLength(3))
  expect(errors.toSorted((one, other) => String(one).localeCompare(String(other)))).toEqual([
    broken,
    broken,
    expect.any(TypeError),
  ])
})
