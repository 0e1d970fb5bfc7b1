import { parseConfig } from '@junctor/config'
import type { Backend, CallerToken } from '@junctor/contracts'
import { createBackend, createTool, definePlugin, type Plugin } from '@junctor/plugin-sdk'
import { afterEach, expect, it } from 'vitest'
import * as z from 'zod'
import { createNode, type JunctorNode } from '../src/index.ts'

/** What a backend saw of the token of a call. */
interface Seen {
  readonly backend: string
  readonly isThere: boolean
  readonly opened: CallerToken | undefined
  /** What it is for somebody else. */
  readonly ofOthers: CallerToken | undefined
}

const seen: Seen[] = []
const nodes: JunctorNode[] = []

afterEach(async () => {
  seen.length = 0
  await Promise.all(nodes.splice(0).map((node) => node.close()))
})

/** Its backends have one tool, and `kind` says which rights they claim. */
const plugin = definePlugin({
  name: 'kinds',
  key: 'kind',
  config: z.object({ kind: z.enum(['plain', 'personal', 'taking', 'greedy']) }),
  create({ kind }, context) {
    const { name, log, issueTokens, openCallerToken } = context
    issueTokens({
      issuer: 'https://gw.example.com',
      introspect: async (token) => ({ active: true, sub: token, aud: 'https://gw.example.com/mcp' }),
    })
    const tool = createTool({
      metadata: { name: 'go', description: 'Goes', inputSchema: z.object({}) },
      handler: () => 'gone',
    })
    const backend = createBackend({ name, log, tools: [tool] })
    const watched: Backend = {
      ...backend,
      ...(kind !== 'plain' && kind !== 'greedy' && { isPersonal: true }),
      ...((kind === 'taking' || kind === 'greedy') && { takesCallerToken: true }),
      async open(...args) {
        const link = await backend.open(...args)
        const call: typeof link.call = (request, exchange) => {
          const { callerToken, tenant, principal } = exchange.context
          const open = (of: string) =>
            callerToken === undefined ? undefined : openCallerToken({ tenant, principal: of }, callerToken)
          const isThere = callerToken !== undefined || args[0].callerToken !== undefined
          seen.push({ backend: name, isThere, opened: open(principal.key), ofOthers: open('somebody else') })
          return link.call(request, exchange)
        }
        return new Proxy(link, {
          get(target, key) {
            const value: unknown = key === 'call' ? call : Reflect.get(target, key, target)
            return typeof value === 'function' ? value.bind(target) : value
          },
        })
      },
    }
    return watched
  },
}) as unknown as Plugin

async function start(backends: object): Promise<string> {
  const file = { listen: { http: { port: 0 } }, publicUrl: 'https://gw.example.com', auth: { server: 'one' }, backends }
  const read = parseConfig(JSON.stringify(file), { file: 'junctor.json', plugins: [plugin], env: {} })
  if (read.kind === 'invalid') throw new Error(JSON.stringify(read.problems))
  const node = await createNode({ config: read.config })
  nodes.push(node)
  return (await node.listen()).http.url
}

it.each(['tenant', 'shared'])('a backend with credentials of persons is never shared: %s', async (isolation) => {
  for (const kind of ['personal', 'taking']) {
    await expect(start({ one: { kind, isolation } })).rejects.toThrow(/Expected the isolation "session"/)
  }
})

it('a backend that takes the tokens of callers must be personal', async () => {
  await expect(start({ one: { kind: 'greedy', isolation: 'session' } })).rejects.toThrow(/Expected a personal backend/)
})

it('a backend gets the token of a caller only if it takes it, sealed for this caller', async () => {
  const isolation = 'session'
  const url = await start({
    one: { kind: 'taking', isolation },
    two: { kind: 'personal', isolation },
    three: { kind: 'plain' },
  })
  for (const name of ['one__go', 'two__go', 'three__go']) {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: 'Bearer the-token-of-ada',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
    }
    const prefix = 'io.modelcontextprotocol'
    const _meta = { [`${prefix}/protocolVersion`]: '2026-07-28', [`${prefix}/clientCapabilities`]: {} }
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {}, _meta } }
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(await answer.text()).toContain('gone')
  }
  const nothing = { isThere: false, opened: undefined, ofOthers: undefined }
  expect(seen).toEqual([
    { backend: 'one', isThere: true, opened: { token: 'the-token-of-ada', expires: null }, ofOthers: undefined },
    { backend: 'two', ...nothing },
    { backend: 'three', ...nothing },
  ])
})
