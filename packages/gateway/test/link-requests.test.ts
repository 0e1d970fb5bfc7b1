import { emitNothing, silentLog, type UnreadableReporter } from '@junctor/contracts'
import type { Outcome } from '@junctor/exchange'
import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import type { JsonValue } from '@junctor/jsonrpc'
import { createRequest, eventually, recordExchange } from '@junctor/testkit'
import { expect, test, vi } from 'vitest'
import { nodeRequest } from '../src/nodes/node-request.ts'
import { linkControlService } from '../src/nodes/service-names.ts'
import { reasonOf } from '../src/shared/errors.ts'
import { hostBackend } from '../src/upstream/remote/host-backend.ts'
import { createTestBackend } from './support/test-backend.ts'

const scope = { tenant: 't', principal: 'secret', capabilities: {}, key: 'secret' }

/** A worker that another node asks for a link, perhaps one of another version. */
async function startHost() {
  const bus = createMemoryBus()
  const [worker, other] = [createMemoryFabric(bus), createMemoryFabric(bus)]
  const { backend } = createTestBackend().entry
  const unreadable = vi.fn<UnreadableReporter>()
  const parts = { fabric: worker, log: silentLog, emit: emitNothing, unreadable, changed: () => {} }
  const hosted = await hostBackend({ backend, maxLinks: 4 }, parts)
  const ask = (service: string, method: string, params: JsonValue | undefined): Promise<Outcome> =>
    other.call({ service, node: worker.node }, nodeRequest(method, params), recordExchange().exchange)
  return {
    hosted,
    unreadable,
    ask,
    open: (params: JsonValue | undefined) => ask(backend.name, 'open', params),
    /** Opens a link, and returns the service that controls it. */
    async link() {
      const { exchange, events } = recordExchange()
      void other.call({ service: backend.name }, createRequest('open', scope), exchange)
      await eventually(() => expect(events).toHaveLength(1))
      const [opened] = events
      const { link } = (opened?.kind === 'chunk' ? opened.data : {}) as { link?: string }
      return linkControlService(link ?? '')
    },
    async [Symbol.asyncDispose]() {
      await hosted.close()
      await Promise.all([worker.close(), other.close()])
    },
  }
}

function expectUnreadable(outcome: Outcome, unreadable: ReturnType<typeof vi.fn<UnreadableReporter>>): void {
  expect(reasonOf(outcome)).toBe('invalid_params')
  expect(JSON.stringify(outcome)).not.toContain('secret')
  expect(unreadable).toHaveBeenCalledExactlyOnceWith(
    'request',
    expect.any(String),
    expect.not.stringContaining('secret'),
  )
}

test.each<[JsonValue | undefined]>([
  [undefined],
  [null],
  [{ ...scope, key: 7 }],
  [{ ...scope, capabilities: null }],
  [{ ...scope, principal: ['secret'] }],
])('a link for the scope %j is refused, and opens nothing', async (params) => {
  await using host = await startHost()
  expectUnreadable(await host.open(params), host.unreadable)
  expect(host.hosted.health.links).toBe(0)
})

test.each<[string, JsonValue | undefined]>([
  ['list', undefined],
  ['list', 'secret'],
  ['notify', undefined],
  ['notify', { method: 'secret' }],
  ['notify', [{ secret: 1 }]],
])('%s with the params %j is refused, and the link continues', async (method, params) => {
  await using host = await startHost()
  const control = await host.link()
  expectUnreadable(await host.ask(control, method, params), host.unreadable)
  expect((await host.ask(control, 'list', 'tools')).kind).toBe('complete')
})
