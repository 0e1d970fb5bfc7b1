import type { NatsConnection, Status } from '@nats-io/transport-node'
import { expect, test } from 'vitest'
import { connectionChanges } from './connection-changes.ts'

const server = 'nats://127.0.0.1:4222'
const lost: Status = { type: 'disconnect', server }
const trying: Status = { type: 'reconnecting' }
const refused: Status = { type: 'error', error: new Error('Authorization Violation') }
const back: Status = { type: 'reconnect', server }

async function changesOf(...statuses: readonly Status[]): Promise<unknown[]> {
  async function* status(): AsyncGenerator<Status> {
    yield* statuses
  }
  const connection = { status: () => status() } as unknown as NatsConnection
  const changes: unknown[] = []
  for await (const change of connectionChanges(connection)) changes.push(change)
  return changes
}

test.each<[string, readonly Status[], readonly string[]]>([
  ['a loss and a return', [lost, trying, back], ['lost', 'restored']],
  [
    'losses and returns that are repeated',
    [lost, refused, lost, refused, lost, back, back, back],
    ['lost', 'restored'],
  ],
  ['a second loss', [lost, back, back, lost, lost, back], ['lost', 'restored', 'lost', 'restored']],
  ['a return of a connection that was lost before', [trying, back], ['restored']],
  ['errors alone', [refused, trying], []],
])('%s', async (_name, statuses, changes) => {
  expect(await changesOf(...statuses)).toEqual(changes)
})
