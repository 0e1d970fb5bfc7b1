import type { ExchangedTokens, MissingToken } from '@junctor/credentials'
import {
  type Client,
  type Link,
  type NotificationBody,
  payloadOf,
  type Request,
  type Scope,
} from '@junctor/plugin-sdk/link'
import { createTestPluginContext } from '@junctor/plugin-sdk/testing'
import { createRequest, recordExchange } from '@junctor/testkit'
import { expect, it } from 'vitest'
import { openExchangingLink } from './exchanging-link.ts'

it('sets at the server what was set while there was no token, and tells the client what may be different', async () => {
  const received: unknown[] = []
  const notified: unknown[] = []
  const state: { missing: MissingToken | undefined } = { missing: { kind: 'expired' } }
  const tokens = { missing: async () => state.missing, present: () => {} } as unknown as ExchangedTokens
  const real = {
    call: async ({ method, params }: Request) => {
      received.push([method, params?.value()])
      return { kind: 'complete', result: payloadOf({}) }
    },
    close: async () => {},
    closed: new Promise(() => {}),
  } as unknown as Link
  const client = { notify: ({ method, params }: NotificationBody) => void notified.push([method, params?.value()]) }
  const parts = {
    name: 'mail',
    tokens,
    open: async () => real,
    log: createTestPluginContext().log,
    principal: 'local|test',
    scope: { tenant: 'default', key: 'k', capabilities: {} } as Scope,
    client: client as unknown as Client,
  }
  const link = await openExchangingLink(parts, new AbortController().signal)
  for (const [method, params] of [
    ['logging/setLevel', { level: 'error' }],
    ['resources/subscribe', { uri: 'a://1' }],
  ] as const) {
    const request = createRequest(method, params)
    await link.call(request, recordExchange({ request }).exchange)
  }
  expect([received, notified]).toEqual([[], []])
  state.missing = undefined
  link.present?.('another token')
  const lists = ['tools', 'resources', 'prompts'].map((kind) => [`notifications/${kind}/list_changed`, undefined])
  await expect.poll(() => notified).toEqual([...lists, ['notifications/resources/updated', { uri: 'a://1' }]])
  expect(received).toEqual([
    ['logging/setLevel', { level: 'error' }],
    ['resources/subscribe', { uri: 'a://1' }],
  ])
  await link.close()
})
