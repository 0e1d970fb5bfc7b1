import { type Client, emitNothing, payloadOf, requestId, type Scope, silentLog } from '@junctor/plugin-sdk/link'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { StatelessLink } from './stateless-link.ts'
import type { StatelessWire } from './stateless-wire.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const scope: Scope = { tenant: '', principal: undefined, session: undefined, capabilities: {}, key: 'shared' }
const acknowledged = 'notifications/subscriptions/acknowledged'

/** A server that ends each subscription as soon as it has acknowledged it. */
function endingEach(tools: () => readonly object[]): StatelessWire {
  const { promise: closed, resolve } = Promise.withResolvers<Error | undefined>()
  return {
    correlates: true,
    closed,
    send(method, _params, listener) {
      const id = requestId(1)
      const answer = (result: object): void =>
        listener.answered({ kind: 'result', dialect: '2.0', id, result: payloadOf({ ...result }) })
      queueMicrotask(() => {
        if (method === 'tools/list') return answer({ tools: tools() })
        listener.notification({ kind: 'notification', dialect: '2.0', method: acknowledged, params: payloadOf({}) })
        setTimeout(() => answer({}))
      })
      return { id, cancel() {} }
    },
    close: async () => resolve(undefined),
  }
}

test('clients learn of a change between two subscriptions, and of none when the list is the same', async () => {
  let tools: readonly object[] = [{ name: 'one' }]
  const notify = vi.fn<Client['notify']>()
  const capabilities = { tools: { listChanged: true } }
  const link = new StatelessLink({
    backend: 'b',
    scope,
    client: { notify } as unknown as Client,
    log: silentLog,
    emit: emitNothing,
    wire: endingEach(() => tools),
    server: { revision: '2026-07-28', capabilities, info: {}, instructions: undefined },
  })
  link.start()
  await link.list('tools', new AbortController().signal)
  await vi.advanceTimersByTimeAsync(120_000)
  expect(notify).not.toHaveBeenCalled()
  tools = [{ name: 'other' }]
  await vi.advanceTimersByTimeAsync(120_000)
  expect(notify.mock.calls).toEqual([[{ method: 'notifications/tools/list_changed', params: undefined }]])
  await link.close()
})
