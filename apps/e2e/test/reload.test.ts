import { hash, X509Certificate } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type Log, silentLog } from '@junctor/contracts'
import { parseConfig } from '@junctor/config'
import { createNode, type JunctorNode, type ParsedNodeConfig } from '@junctor/node'
import { mcpPlugin } from '@junctor/plugin-mcp'
import type { Plugin } from '@junctor/plugin-sdk'
import type { JsonObject } from '@junctor/jsonrpc'
import { eventually, expiredCertificate, renewedCredentials, testCredentials } from '@junctor/testkit'
import { mirrors } from '../src/stateless-client.ts'

const plugins = [mcpPlugin] as unknown as readonly Plugin[]

/** An MCP server whose only tool returns its process id: once the file `until` exists, if that is an argument. */
const whoServer = `
import { existsSync, writeFileSync } from 'node:fs'
process.stdin.setEncoding('utf8')
let rest = ''
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\\n')
  rest = lines.pop()
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line)
    if (id === undefined) continue
    const result = {
      initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'who', version: '1' } },
      'tools/list': { tools: [{ name: 'who', inputSchema: { type: 'object' } }] },
      'tools/call': { content: [{ type: 'text', text: String(process.pid) }] },
    }[method]
    const answer = result === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result }
    const send = () => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n')
    const { ms = 0, until } = params?.arguments ?? {}
    if (until === undefined) {
      setTimeout(send, ms)
      continue
    }
    writeFileSync(until + '.waits', '')
    const poll = setInterval(() => {
      if (!existsSync(until)) return
      clearInterval(poll)
      send()
    }, 10)
  }
})
`

let folder: string
let node: JunctorNode | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-reload-'))
  writeFileSync(join(folder, 'who.mjs'), whoServer)
})

afterEach(async () => {
  await node?.close()
  node = undefined
  rmSync(folder, { recursive: true, force: true })
})

function parsed(file: object | string): ParsedNodeConfig {
  const text = typeof file === 'string' ? file : JSON.stringify({ listen: { http: { port: 0 } }, ...file })
  return parseConfig(text, { file: join(folder, 'junctor.json'), plugins, env: {} })
}

const who = (extra: object = {}): object => ({ command: process.execPath, args: ['who.mjs'], ...extra })

interface Answer {
  readonly result?: {
    readonly content?: readonly { readonly text: string }[]
    readonly tools?: readonly { name: string }[]
  }
  readonly error?: { readonly code: number; readonly message: string }
}

/** Resolves when a call waits for this file. */
async function waits(file: string): Promise<void> {
  await eventually(() => expect(existsSync(join(folder, `${file}.waits`))).toBe(true))
}

/** The answer in a body: JSON or a stream. */
function answerIn(body: string): Answer {
  const last = body.startsWith('{') ? body : body.trim().split('\n').at(-1)?.slice('data: '.length)
  return JSON.parse(last ?? '') as Answer
}

/** A client in a session of its own. */
async function open(url: string, headers: Record<string, string> = {}) {
  let id = 0
  let session: string | null = null
  const send = async (method: string, params: object = {}): Promise<Answer> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        connection: 'close',
        ...(session !== null && { 'mcp-session-id': session }),
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: (id += 1), method, params }),
    })
    session = response.headers.get('mcp-session-id') ?? session
    const text = await response.text()
    return answerIn(text)
  }
  await send('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  })
  return {
    send,
    call: (name: string, args: object = {}) => send('tools/call', { name, arguments: args }),
    async pid(name: string): Promise<string | undefined> {
      return (await this.call(name)).result?.content?.[0]?.text
    },
    async tools(): Promise<readonly string[]> {
      return (await send('tools/list')).result?.tools?.map((tool) => tool.name) ?? []
    },
  }
}

function fingerprint(pem: string): string {
  return new X509Certificate(pem).fingerprint256
}

/** A connection that stays open, and the fingerprint of the certificate that the server showed. */
async function connectTls(url: string) {
  const ca = [testCredentials.cert, renewedCredentials.cert]
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), ca })
  onTestFinished(() => void socket.destroy())
  await once(socket, 'secureConnect')
  return { socket, certificate: socket.getPeerX509Certificate()?.fingerprint256 }
}

async function start(file: object, log: Log = silentLog) {
  const first = parsed(file)
  if (first.kind === 'invalid') throw new Error(JSON.stringify(first.problems))
  const started = await createNode({ config: first.config, log })
  node = started
  const { http } = await started.listen()
  return { node: started, url: http.url, reload: (next: object | string) => started.reload(parsed(next)) }
}

describe('reload', () => {
  it('keeps the processes and sessions of unchanged backends, and replaces the changed ones', async () => {
    const { url, reload } = await start({ backends: { stays: who(), changes: who() } })
    const client = await open(url)
    const before = { stays: await client.pid('stays__who'), changes: await client.pid('changes__who') }
    const reloaded = await reload({ backends: { stays: who(), changes: who({ env: { NEW: '1' } }), more: who() } })
    expect(reloaded).toMatchObject({
      kind: 'taken',
      changes: { backends: { added: ['more'], changed: ['changes'], removed: [] }, restart: [] },
    })
    expect(await client.pid('stays__who')).toBe(before.stays)
    const changed = await client.pid('changes__who')
    expect(changed).toMatch(/^\d+$/)
    expect(changed).not.toBe(before.changes)
    expect(await client.tools()).toEqual(['stays__who', 'changes__who', 'more__who'])
  })

  it('lets running calls on a replaced backend end first, and then ends its processes', async () => {
    const { node: started, url, reload } = await start({ backends: { goes: who(), stays: who() } })
    const client = await open(url)
    const pid = Number(await client.pid('goes__who'))
    const slow = client.call('goes__who', { ms: 300 })
    // The call is running when a later one was answered.
    await client.pid('stays__who')
    await reload({ backends: { stays: who() } })
    expect((await client.call('goes__who')).error).toMatchObject({ code: -32_602 })
    expect((await slow).result?.content?.[0]?.text).toBe(String(pid))
    await started.close()
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  it('sends calls that wait for their turn at a replaced backend to the one that replaces it', async () => {
    const one = who({ concurrency: 1 })
    const { url, reload } = await start({ backends: { changes: one, goes: one, stays: who() } })
    const client = await open(url)
    const before = [await client.pid('changes__who'), await client.pid('goes__who')]
    const both = ['changes', 'goes'].map((backend) => {
      const args = { until: join(folder, backend) }
      return Promise.all([client.call(`${backend}__who`, args), client.call(`${backend}__who`, args)])
    })
    await Promise.all(['changes', 'goes'].map((backend) => waits(backend)))
    await reload({ backends: { changes: { ...one, env: { NEW: '1' } }, stays: who() } })
    for (const backend of ['changes', 'goes']) writeFileSync(join(folder, backend), '')
    const [changed, gone] = await Promise.all(both)
    const pids = changed?.map(({ result }) => result?.content?.[0]?.text) ?? []
    expect(pids).toEqual([expect.stringMatching(/^\d+$/), expect.stringMatching(/^\d+$/)])
    expect(pids.filter((pid) => pid === before[0])).toHaveLength(1)
    expect(gone?.map(({ result, error }) => result?.content?.[0]?.text ?? error?.message).toSorted()).toEqual([
      before[1],
      'Unknown tool: goes__who',
    ])
  })

  it('tells a waiting call without a session that its endpoint is gone', async () => {
    const backends = { goes: who({ concurrency: 1 }), stays: who() }
    const tenants = { default: { backends: ['stays'] }, acme: { backends: ['goes'] } }
    const { url, reload } = await start({ backends, tenants })
    const meta = { protocolVersion: '2026-07-28', clientInfo: { name: 'test', version: '1' }, clientCapabilities: {} }
    const paramsWith = (args: JsonObject): JsonObject => ({
      name: 'goes__who',
      arguments: args,
      _meta: Object.fromEntries(
        Object.entries(meta).map(([name, value]) => [`io.modelcontextprotocol/${name}`, value]),
      ),
    })
    const call = async (args: JsonObject = {}): Promise<Answer> => {
      const params = paramsWith(args)
      const response = await fetch(`${url}/acme`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...mirrors('tools/call', params),
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      })
      return answerIn(await response.text())
    }
    expect((await call()).result).toBeDefined()
    const args = { until: join(folder, 'goes') }
    const both = Promise.all([call(args), call(args)])
    await waits('goes')
    // A later request was answered, so the second call waits, too.
    await open(url)
    await reload({ backends, tenants: { default: tenants.default } })
    writeFileSync(args.until, '')
    expect((await both).flatMap(({ error }) => error?.message ?? [])).toEqual(['No such endpoint'])
  })

  it('serves a backend again that no tenant had for a while', async () => {
    const backends = { comes: who(), stays: who() }
    const withBoth = { backends, tenants: { default: { backends: ['comes', 'stays'] } } }
    const { url, reload } = await start(withBoth)
    const client = await open(url)
    expect(await client.pid('comes__who')).toMatch(/^\d+$/)
    await reload({ backends, tenants: { default: { backends: ['stays'] } } })
    expect(await client.tools()).toEqual(['stays__who'])
    await reload(withBoth)
    expect(await client.pid('comes__who')).toMatch(/^\d+$/)
    expect(await client.tools()).toEqual(['comes__who', 'stays__who'])
  })

  it.each([
    ['no JSON at all', '{ "backends": '],
    ['an unknown key', { backend: {} }],
    ['a kind of backend that does not exist', { backends: { stays: { plugin: 'nowhere' } } }],
  ])('keeps the current configuration when the new one is %s', async (_name, bad) => {
    const errors: unknown[] = []
    const { url, reload } = await start(
      { backends: { stays: who() } },
      { ...silentLog, error: (_message, fields) => errors.push(fields) },
    )
    const client = await open(url)
    const before = await client.pid('stays__who')
    expect(await reload(bad)).toMatchObject({ kind: 'refused' })
    expect(errors).toMatchObject([{ file: join(folder, 'junctor.json'), line: expect.any(Number) as number }])
    expect(await client.pid('stays__who')).toBe(before)
    expect(await reload({ backends: { stays: who(), more: who() } })).toMatchObject({ kind: 'taken' })
    expect(await client.tools()).toContain('more__who')
  })

  it('requires the keys of the new configuration', async () => {
    const key = (text: string): object => ({ apiKeys: { me: { hash: `sha256:${hash('sha256', text, 'hex')}` } } })
    const { url, reload } = await start({ backends: { stays: who() }, auth: key('the-first-key-0123456789') })
    const headers = { authorization: 'Bearer the-first-key-0123456789' }
    const client = await open(url, headers)
    await reload({ backends: { stays: who() }, auth: key('the-second-key-0123456789') })
    expect((await client.call('stays__who')).error?.code).toBe(-32_000)
    const other = await open(url, { authorization: 'Bearer the-second-key-0123456789' })
    expect(await other.pid('stays__who')).toMatch(/^\d+$/)
  })

  it('serves a renewed certificate without a restart, and the old one while the renewed has no fitting key', async () => {
    const errors: unknown[] = []
    const warnings: unknown[] = []
    const file = { listen: { http: { port: 0, tls: { cert: 'tls.crt', key: 'tls.key' } } } }
    const write = (cert: string, key: string): void => {
      writeFileSync(join(folder, 'tls.crt'), cert)
      writeFileSync(join(folder, 'tls.key'), key)
    }
    write(testCredentials.cert, testCredentials.key)
    const { url, reload } = await start(file, {
      ...silentLog,
      error: (_message, fields) => errors.push(fields),
      warn: (message, fields) => warnings.push({ message, ...fields }),
    })
    const served = await connectTls(url)
    expect(served.certificate).toBe(fingerprint(testCredentials.cert))
    write(renewedCredentials.cert, testCredentials.key)
    expect(await reload(file)).toMatchObject({ kind: 'refused' })
    expect(errors).toMatchObject([{ path: 'listen.http.tls.key', got: 'the key of another certificate' }])
    expect((await connectTls(url)).certificate).toBe(fingerprint(testCredentials.cert))
    write(renewedCredentials.cert, renewedCredentials.key)
    expect(await reload(file)).toMatchObject({ kind: 'taken', changes: { restart: [] } })
    expect((await connectTls(url)).certificate).toBe(fingerprint(renewedCredentials.cert))
    expect(served.socket.destroyed).toBe(false)
    expect(warnings).toEqual([])
    write(expiredCertificate, testCredentials.key)
    expect(await reload(file)).toMatchObject({ kind: 'taken' })
    expect(await reload(file)).toMatchObject({ kind: 'taken' })
    expect(warnings).toEqual([
      {
        message: 'a certificate of listen.http.tls has expired: clients refuse it',
        subject: 'CN=localhost',
        validFrom: '2024-01-01T00:00:00.000Z',
        validTo: '2025-01-01T00:00:00.000Z',
        file: join(folder, 'tls.crt'),
      },
    ])
  })

  it('reports which changes need a restart', async () => {
    const { reload } = await start({ backends: { stays: who() } })
    expect(await reload({ backends: { stays: who() }, server: { name: 'other' } })).toMatchObject({
      kind: 'taken',
      changes: { restart: ['server'] },
    })
  })
})
