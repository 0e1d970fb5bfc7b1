import type { Msg, NatsConnection } from '@nats-io/transport-node'
import { expect, it } from 'vitest'
import { pullItem } from './pull-item.ts'
import type { Storage } from '../storage/storage.ts'

const broken = new Error('broken')

type Deliver = (error: Error | null, message: Msg) => void

it('an exception while an item is given back is reported, and does not affect the connection', async () => {
  const errors: unknown[] = []
  let deliver: Deliver | undefined
  const connection = {
    subscribe(_subject: string, { callback }: { callback: Deliver }) {
      deliver = callback
      return { drain: () => Promise.resolve() }
    },
    publish() {},
  }
  const item = (): Msg =>
    ({
      data: Buffer.from('item'),
      respond() {
        throw broken
      },
    }) as unknown as Msg
  const parts: Pick<Storage, 'connection' | 'state' | 'reportError'> = {
    connection: connection as unknown as NatsConnection,
    state: { onReconnect: () => () => {} } as unknown as Storage['state'],
    reportError: (...args) => void errors.push(args),
  }
  const { signal } = new AbortController()
  const pulled = pullItem(parts, 'next', signal)
  deliver?.(null, item())
  expect(await pulled).toMatchObject({ kind: 'item' })
  deliver?.(null, item())
  // A message whose inspection throws.
  deliver?.(null, undefined as unknown as Msg)
  expect(errors).toEqual([
    ['message', broken, { subject: 'next' }],
    ['message', expect.any(TypeError), { subject: 'next' }],
  ])
})
