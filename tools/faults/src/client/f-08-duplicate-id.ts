import assert from 'node:assert/strict'
import type { Scenario } from '../scenario.ts'
import { loud } from './loud.ts'
import { withNode } from './with-node.ts'

const duplicates = 20

/** One request in flight, then others with its id. */
export const duplicateId: Scenario = {
  id: 'F-8',
  title: 'duplicate id in flight',
  ways: ['http', 'stdio'],
  run: (way) =>
    withNode({ backends: { loud: loud() } }, async (scene) => {
      const peer = await scene.peer(way)
      await peer.send(call('first'))
      await peer.until('progress of the first', ({ method }) => method === 'notifications/progress')
      const statuses = await Promise.all(Array.from({ length: duplicates }, () => peer.send(call('duplicate'))))
      const errors = (): readonly unknown[] =>
        peer.messages().flatMap(({ id, error }) => (id === 'same' && error !== undefined ? [error] : []))
      const { result } = await peer.until(
        'the answer to the first',
        (message) => message['result'] !== undefined && message['id'] === 'same',
      )
      assert.match(JSON.stringify(result), /"first"/)
      assert.equal(errors().length, duplicates)
      for (const error of errors())
        assert.partialDeepStrictEqual(error, { code: -32600, data: { reason: 'duplicate_id' } })
      if (way === 'http') assert.deepEqual(new Set(statuses), new Set([400]))
      // The id is free again after its request was answered.
      await peer.send(call('second'))
      await peer.until('an answer to the next with this id', (message) =>
        JSON.stringify(message['result'] ?? '').includes('second'),
      )
      return `${errors().length} of ${duplicates} duplicates refused, the first answered, the id free again`
    }),
}

function call(text: string): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id: 'same',
    method: 'tools/call',
    params: { name: 'loud__repeat', arguments: { text, ms: 500 }, _meta: { progressToken: 't' } },
  })
}
