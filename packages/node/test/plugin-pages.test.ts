import { parseConfig } from '@junctor/config'
import { silentLog } from '@junctor/contracts'
import { createBackend, definePlugin, type Plugin } from '@junctor/plugin-sdk'
import { JunctorError } from '@junctor/protocol'
import { afterEach, expect, it } from 'vitest'
import * as z from 'zod'
import { createNode, type JunctorNode } from '../src/index.ts'

/** A plugin with pages, which issues the token `good-token` for `ada`. */
const sitePlugin = definePlugin({
  name: 'site',
  key: 'site',
  config: z.object({ site: z.string() }),
  create({ site: text }, { name, log, site, servePages, issueTokens }) {
    servePages({
      paths: ['/site', '/site/below/*'],
      handle: (request, response) => {
        if (text === 'unstored') throw new JunctorError('FABRIC_UNAVAILABLE', 'the connection to NATS is lost')
        response.end(`${text} ${request.url ?? ''}`)
      },
    })
    issueTokens({
      issuer: String(site.publicUrl),
      introspect: async (token) => ({ active: token === `good-${text}`, sub: 'ada', aud: `${site.publicUrl}/mcp` }),
    })
    return createBackend({ name, log })
  },
}) as unknown as Plugin

const nodes: JunctorNode[] = []

afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.close()))
})

const publicUrl = 'https://gw.example.com'

function parsed(file: object) {
  const text = JSON.stringify({ listen: { http: { port: 0 } }, publicUrl, ...file })
  return parseConfig(text, { file: 'junctor.json', plugins: [sitePlugin], env: {} })
}

async function start(file: object, log = silentLog) {
  const { kind, ...rest } = parsed(file)
  if (kind === 'invalid' || !('config' in rest)) throw new Error(JSON.stringify(rest))
  const node = await createNode({ config: rest.config, log })
  nodes.push(node)
  const { http } = await node.listen()
  const { origin } = new URL(http.url)
  const text = async (path: string) => (await fetch(`${origin}${path}`)).text()
  const send = (token: string) => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
    }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
    return fetch(`${origin}/mcp`, { method: 'POST', headers, body })
  }
  const ping = async (token: string) => (await send(token)).status
  const challenge = async () => (await send('')).headers.get('www-authenticate')
  return { node, origin, text, ping, challenge }
}

const backends = (text: string) => ({ own: { site: text } })

it('the pages of a backend are served as long as it is configured', async () => {
  const { node, text } = await start({ backends: backends('one') })
  expect(await text('/site')).toBe('one /site')
  expect(await text('/site/below/x?y=1')).toBe('one /site/below/x?y=1')
  expect(await text('/site/below')).toContain('No such endpoint')
  expect(await text('/site/beside')).toContain('No such endpoint')
  await node.reload(parsed({ backends: backends('two') }))
  await expect.poll(() => text('/site')).toBe('two /site')
  await node.reload(parsed({}))
  await expect.poll(() => text('/site')).toContain('No such endpoint')
})

it('a person is told that a page cannot be shown while the storage does not answer, and a program gets an error', async () => {
  const warnings: unknown[] = []
  const warn = (...line: unknown[]): void => void warnings.push(line)
  const { origin } = await start({ backends: backends('unstored') }, { ...silentLog, warn })
  const ask = async (accept: string) => {
    const answer = await fetch(`${origin}/site`, { headers: { accept } })
    return [answer.status, answer.headers.get('content-type'), answer.headers.get('retry-after')]
  }
  expect(await ask('text/html,*/*;q=0.8')).toEqual([503, 'text/html; charset=utf-8', '5'])
  expect(await ask('application/json')).toEqual([503, 'application/json', '1'])
  await ask('text/html')
  const fields = expect.objectContaining({ requests: 1 }) as unknown
  await ask('application/json')
  expect(warnings).toEqual([
    ['a page cannot be shown, because the fabric does not answer', fields],
    ['the fabric does not answer, or refuses', expect.objectContaining({ where: 'request', errors: 1 })],
  ])
})

it('the tokens of a backend open the gateway that names it', async () => {
  const { node, ping } = await start({ backends: backends('one'), auth: { server: 'own' } })
  expect([await ping('good-one'), await ping('good-two'), await ping('')]).toEqual([200, 401, 401])
  await node.reload(parsed({ backends: backends('two'), auth: { server: 'own' } }))
  await expect.poll(() => ping('good-two')).toBe(200)
  expect(await ping('good-one')).toBe(401)
})

it('another public URL waits for a restart: until then everything has the first', async () => {
  const file = { backends: backends('one'), auth: { server: 'own' } }
  const { node, ping, challenge } = await start(file)
  const first = await challenge()
  expect(first).toContain(publicUrl)
  const reloaded = await node.reload(parsed({ ...file, publicUrl: 'https://new.example.com' }))
  expect(reloaded).toMatchObject({ kind: 'taken', changes: { restart: ['publicUrl'] } })
  expect([await ping('good-one'), await challenge()]).toEqual([200, first])
})

it('a backend without tokens cannot be named', async () => {
  const silent = definePlugin({
    name: 'silent',
    key: 'silent',
    config: z.object({ silent: z.boolean() }),
    create: (_config, { name, log }) => createBackend({ name, log }),
  }) as unknown as Plugin
  const text = JSON.stringify({ publicUrl, backends: { own: { silent: true } }, auth: { server: 'own' } })
  const read = parseConfig(text, { file: 'junctor.json', plugins: [silent], env: {} })
  if (read.kind === 'invalid') throw new Error(JSON.stringify(read.problems))
  await expect(createNode({ config: read.config })).rejects.toThrow(/own is no authorization server/)
})
