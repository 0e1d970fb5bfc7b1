import { silentLog } from '@junctor/contracts'
import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import type { JsonValue } from '@junctor/jsonrpc'
import { expect, test } from 'vitest'
import { createGateway } from '../src/index.ts'
import { callNode } from '../src/nodes/call-node.ts'
import { nodeContext } from '../src/nodes/node-context.ts'
import { nodeRequest } from '../src/nodes/node-request.ts'
import { reasonOf } from '../src/shared/errors.ts'
import { identityOf, tenantOf } from './support/test-nodes.ts'

/** A gateway that another node asks, perhaps one of another version. */
async function startAsked() {
  const bus = createMemoryBus()
  const [fabric, other] = [createMemoryFabric(bus), createMemoryFabric(bus)]
  const unreadable: string[] = []
  const gateway = await createGateway({
    fabric,
    tenants: [tenantOf([])],
    authenticate: () => identityOf(),
    info: { name: 'gateway', version: '1' },
    log: silentLog,
    emit: (event) => void (event.kind === 'data_unreadable' && unreadable.push(event.data)),
  })
  const host = { nextId: () => `${other.node}~1` }
  return {
    unreadable,
    ask: (service: string, params: JsonValue | undefined) =>
      callNode(
        { fabric: other, host },
        {
          node: fabric.node,
          request: nodeRequest(service, params),
          context: { ...nodeContext, tenant: 'default' },
          withinMs: 5_000,
        },
      ),
    async [Symbol.asyncDispose]() {
      await gateway.close()
      await Promise.all([fabric.close(), other.close()])
    },
  }
}

test.each<[string, JsonValue | undefined, string]>([
  ['$refused', undefined, 'expected object'],
  ['$refused', { key: ['secret'] }, 'key: '],
  ['$homes', null, 'expected object'],
  ['$homes', { sessions: { secret: 1 } }, 'sessions: '],
  ['$homes', { sessions: ['s_1', 7] }, 'sessions.1: '],
  ['$job', { key: 7 }, 'key: '],
  ['$resume', { stream: 'secret' }, 'Invalid input'],
  ['$resume', { session: 's_1', stream: 7, after: 1 }, 'Invalid input'],
  ['$post', { address: 'secret' }, 'body: '],
  ['$post', [], 'expected object'],
])('%s refuses the params %j, which is no answer to what was asked', async (service, params, problem) => {
  await using asked = await startAsked()
  const outcome = await asked.ask(service, params)
  expect(outcome.kind === 'error' && outcome.error.message).toContain(`cannot read the params of ${service}: `)
  expect(outcome.kind === 'error' && outcome.error.message).toContain(problem)
  expect(reasonOf(outcome)).toBe('invalid_params')
  expect(JSON.stringify(outcome)).not.toContain('secret')
  expect(asked.unreadable).toEqual(['request'])
})

test.each<[string, JsonValue, JsonValue]>([
  ['$refused', { key: 'k', of: 'a newer version' }, false],
  ['$homes', { sessions: ['s_1'], of: 'a newer version' }, {}],
  ['$job', { key: 'k', of: 'a newer version' }, {}],
  ['$post', { address: 'a', body: '', of: 'a newer version' }, 'unknown'],
])('%s ignores members that it does not know', async (service, params, answer) => {
  await using asked = await startAsked()
  const outcome = await asked.ask(service, params)
  expect(outcome.kind === 'complete' && outcome.result.value()).toEqual(answer)
  expect(asked.unreadable).toEqual([])
})
