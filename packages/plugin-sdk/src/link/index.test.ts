import { expect, test } from 'vitest'
import { openBackend } from '../testing/index.ts'
// Imports nothing but this entry, so that anything a `Link` needs and the entry lacks breaks this test.
import {
  type Backend,
  type Client,
  definePlugin,
  JunctorError,
  type Link,
  mcpProfile,
  memberOf,
  methods,
  type Outcome,
  payloadOf,
  type Plugin,
  type Request,
  type ServerInfo,
  wireError,
} from './index.ts'
import * as z from 'zod'

const server: ServerInfo = {
  revision: '2025-11-25',
  capabilities: { tools: {} },
  info: { name: 'clock', version: '1.0.0' },
  instructions: undefined,
}
const listed = payloadOf({ name: 'time', inputSchema: { type: 'object' } })
const config = z.object({ zone: z.string(), broken: z.boolean().default(false) })

/** A backend that opens its own links, written as its author would. */
const clock: Plugin<typeof config> = definePlugin({
  name: '@acme/clock',
  key: 'plugin',
  config,
  create: ({ zone, broken }, { name }): Backend => ({
    name,
    correlates: true,
    async open(scope, client) {
      if (broken) throw new JunctorError('BACKEND_UNREACHABLE', 'The clock does not answer')
      return openLink(`${zone} of ${scope.tenant}`, client)
    },
    async close() {},
  }),
})

function openLink(place: string, client: Client): Link {
  const { promise: closed, resolve } = Promise.withResolvers<undefined>()
  return {
    server,
    closed,
    list: async (kind) => (kind === 'tools' ? [listed] : []),
    call(request, exchange) {
      exchange.progress({ progress: 1, message: 'looking' })
      return outcomeOf(request, place)
    },
    notify: (notification) => client.notify(notification),
    close: async () => resolve(undefined),
  }
}

function outcomeOf({ method, dialect, params }: Request, place: string): Outcome {
  if (method !== methods.toolsCall) {
    const error = wireError(
      'method_not_found',
      { revision: '2025-11-25', dialect, profile: mcpProfile },
      { name: method },
    )
    return { kind: 'error', error }
  }
  const name = memberOf(params?.value(), 'name')
  return {
    kind: 'complete',
    result: payloadOf({
      content: [{ type: 'text', text: `${typeof name === 'string' ? name : 'nothing'} in ${place}` }],
    }),
  }
}

test('one entry exports everything that a backend with its own links needs', async () => {
  const client = await openBackend(clock, { config: { zone: 'UTC' } })
  const shown: unknown[] = []
  expect(await client.listTools()).toEqual([{ name: 'time', inputSchema: { type: 'object' } }])
  const answer = await client.callTool('time', {}, { onProgress: (update) => void shown.push(update) })
  expect(answer.content).toEqual([{ type: 'text', text: 'time in UTC of default' }])
  expect(shown).toEqual([{ progress: 1, message: 'looking' }])
  await expect(client.request('clock/wind')).rejects.toMatchObject({ code: -32601 })
  await client.close()
})

test('the error of a refused request comes from the catalogue', async () => {
  await expect(openBackend(clock, { config: { zone: 'UTC', broken: true } })).rejects.toMatchObject({
    code: 'BACKEND_UNREACHABLE',
  })
})
