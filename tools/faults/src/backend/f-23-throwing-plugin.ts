import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { parseConfig } from '@junctor/config'
import type { Backend, Link } from '@junctor/contracts'
import { payloadOf } from '@junctor/jsonrpc'
import { createNode } from '@junctor/node'
import { demoPlugin } from '@junctor/plugin-demo'
import { definePlugin, type Plugin } from '@junctor/plugin-sdk'
import * as z from 'zod'
import { metric } from '../client/metric.ts'
import { openSession } from '../client/peer/create-peer.ts'
import { createHttpPeer } from '../client/peer/http-peer.ts'
import type { Peer } from '../client/peer/peer.ts'
import { createStdioPeer } from '../client/peer/stdio-peer.ts'
import type { Scenario, Way } from '../scenario.ts'
import { call, reason } from './scene.ts'

const secret = 'what only the plugin knows'

/** The kinds of exceptions in its calls; each is a tool. */
const tools = ['throws', 'rejects', 'listener'] as const

/** The call fails without a detail of the exception, the failure is counted, and the process continues. */
export const throwingPlugin: Scenario = {
  id: 'F-23',
  title: 'the code of a plugin throws where it must not',
  ways: ['http', 'stdio'],
  run: (way) =>
    withPlugin(way, async (peer, admin) => {
      const reasons: unknown[] = []
      for (const name of tools) {
        // oxlint-disable-next-line no-await-in-loop
        reasons.push(reason(await call(peer, `bad__${name}`)))
      }
      assert.deepEqual(reasons, ['internal_error', 'internal_error', 'deadline_exceeded'])
      const failures = await metric(admin, 'mcp_plugin_failures_total', { backend: 'bad' })
      assert.equal(failures, tools.length)
      assert.ok(!peer.frames.some((frame) => frame.includes(secret)), 'expected nothing of what it threw')
      assert.equal((await call(peer, 'demo__echo', { message: 'well' })).text, 'well')
      return `${reasons.join(', ')}; ${failures} failures counted, no details sent; the other backend answers`
    }),
}

/** Runs a gateway with its own plugin, and a client of it. */
async function withPlugin(way: Way, body: (peer: Peer, admin: string) => Promise<string>): Promise<string> {
  const plugins: readonly Plugin[] = [badPlugin, demoPlugin]
  const content = {
    listen: { http: { port: 0 }, admin: { port: 0 } },
    backends: { bad: { plugin: badPlugin.name, timeout: '200ms' }, demo: { plugin: demoPlugin.name } },
  }
  const file = `${import.meta.dirname}/junctor.json`
  const parsed = parseConfig(JSON.stringify(content), { file, plugins, env: {} })
  if (parsed.kind === 'invalid') throw new Error(`Expected a valid configuration: ${JSON.stringify(parsed.problems)}`)
  const node = await createNode({ config: parsed.config })
  try {
    const { http, admin } = await node.listen()
    const [input, output] = [new PassThrough(), new PassThrough()]
    const peer =
      way === 'http'
        ? createHttpPeer(http.url)
        : createStdioPeer({ input, output, closed: node.serveStdio(input, output).closed })
    try {
      await openSession(peer)
      return await body(peer, admin?.url.replace(/\/$/, '') ?? '')
    } finally {
      await peer.close()
    }
  } finally {
    await node.close()
  }
}

const badPlugin: Plugin = definePlugin({
  name: '@junctor/faults-tool',
  key: 'plugin',
  config: z.object({}),
  create: (_, { name }): Backend => ({
    name,
    correlates: true,
    open: () => Promise.resolve(badLink()),
    close: () => Promise.resolve(),
  }),
}) satisfies Plugin

function badLink(): Link {
  const closed = Promise.withResolvers<undefined>()
  return {
    server: { revision: '2025-11-25', capabilities: { tools: {} }, info: {}, instructions: undefined },
    list: () => Promise.resolve(tools.map((name) => payloadOf({ name, inputSchema: { type: 'object' } }))),
    call(request, exchange) {
      const { name } = (request.params?.value() ?? {}) as { name?: string }
      if (name === 'throws') throw new Error(secret)
      if (name === 'rejects') return Promise.reject(new Error(secret))
      exchange.onEnd({
        ended() {
          throw new Error(secret)
        },
      })
      return new Promise(() => {})
    },
    notify: () => {},
    closed: closed.promise,
    close: () => {
      closed.resolve(undefined)
      return Promise.resolve()
    },
  }
}
