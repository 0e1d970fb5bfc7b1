import { type Backend, emitNothing, type Scope, silentLog, type Transport } from '@junctor/plugin-sdk/link'
import { createRequest, recordClient, recordExchange, untilNoDescendants } from '@junctor/testkit'
import { createGuard } from '@junctor/transport-stdio/back'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { scopeFor } from '../../test/lean-server.ts'
import { createCommandBackend } from '../command-backend.ts'
import { createEraMemory, type EraChoice } from '../link/era-memory.ts'
import { openOnConnection } from './open-on-connection.ts'

const guard = createGuard(silentLog)
afterAll(async () => {
  await guard.close()
  await untilNoDescendants()
})

/** The beginning of every server: reads lines, and answers with a result or an error. */
const reading = `
  const answer = (id, members) => console.log(JSON.stringify({ jsonrpc: '2.0', id, ...members }))
  const opened = { result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'older' } } }
  const found = {
    result: {
      resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {}, ttlMs: 0, cacheScope: 'private',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'newer' } },
    },
  }
  const unknown = { error: { code: -32601, message: 'Method not found' } }
  let seen = []
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line)
    seen.push(method)
    if (id !== undefined) take(id, method)
  })
`

/** Servers, by how they take the question for their era. */
const servers = {
  'answers with an error': `const take = (id, method) => answer(id, method === 'initialize' ? opened : method === 'seen' ? { result: { seen } } : unknown)`,
  'does not answer': `const take = (id, method) => method === 'server/discover' || answer(id, method === 'seen' ? { result: { seen } } : opened)`,
  'dies of it': `const take = (id, method) => method === 'server/discover' ? process.exit(1) : answer(id, method === 'seen' ? { result: { seen } } : opened)`,
  'takes no handshake after it': `
    const take = (id, method) =>
      answer(id, method === 'initialize' && seen.length === 1 ? opened : method === 'seen' ? { result: { seen } } : unknown)`,
} as const

const newer = `const take = (id, method) => answer(id, method === 'server/discover' ? found : method === 'seen' ? { result: { seen } } : unknown)`
const slowNewer = slow(newer, 1_500)
/** Behind a bridge that keeps a number as id, and loses every other id. */
const numberedNewer = newer.replace('answer(id', 'answer(Number.parseInt(id, 10)')
const namedNewer = newer.replace('answer(id', 'answer(String(id)')
/** Like the official SDK, it refuses the handshake before it answers the question, although that was first. */
const reversedNewer = `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500)
const take = (id, method) =>
  method === 'server/discover' ? setTimeout(() => answer(id, found), 100) : answer(id, method === 'seen' ? { result: { seen } } : unknown)`
const fragileNewer = slowNewer.replace('answer(id', "method === 'initialize' ? process.exit(1) : answer(id")
const both = `const take = (id, method) => answer(id, method === 'server/discover' ? found : method === 'initialize' ? opened : method === 'seen' ? { result: { seen } } : unknown)`
/** A server of 2026-07-28 that answers only what it knows. */
const taciturnNewer = newer.replace('answer(id', "method === 'initialize' || answer(id")
const newest = `const take = (id, method) => answer(id, { error: { code: -32022, message: 'No', data: { supported: ['2027-01-01'] } } })`

/** A server that needs time to start: by default longer than it may be silent on a handshake. */
function slow(take: string, ms = 4_000): string {
  return `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${ms})\n${take}`
}

function backendOf(take: string, era?: EraChoice): Backend {
  const config = { command: process.execPath, args: ['--eval', `${take}\n${reading}`], env: {}, era }
  return createCommandBackend({ name: 'child', config, folder: '/', log: silentLog, emit: emitNothing, guard })
}

async function open(backend: Backend, owner: Partial<Scope> = {}) {
  const client = recordClient()
  const link = await backend.open(scopeFor(client, owner), client, AbortSignal.timeout(20_000))
  onTestFinished(() => link.close())
  const { exchange } = recordExchange()
  const seen = async () => {
    const outcome = await link.call(createRequest('seen'), exchange)
    return outcome.kind === 'complete' ? (outcome.result.value() as { seen: string[] }).seen : outcome
  }
  return { link, seen }
}

describe('a server with a handshake that', () => {
  test.each(Object.entries(servers))('%s is opened all the same, and is not asked again', async (_, take) => {
    const backend = backendOf(take)
    const first = await open(backend)
    expect(first.link.server).toMatchObject({ revision: '2025-11-25', info: { name: 'older' } })
    const second = await open(backend)
    expect(await second.seen()).toEqual(['initialize', 'notifications/initialized', 'seen'])
  })
})

describe('a server of 2026-07-28', () => {
  test.each([
    ['is opened without a handshake', newer, undefined],
    ['is opened through a bridge whose ids are numbers', numberedNewer, undefined],
    ['is opened when it returns ids as texts', namedNewer, undefined],
    ['is waited for when it starts slowly', slowNewer, undefined],
    ['is waited for when the configuration knows it', slowNewer, 'stateless'],
  ] as const)('%s', async (_, take, era) => {
    const { link } = await open(backendOf(take, era))
    expect(link.server).toMatchObject({ revision: '2026-07-28', info: { name: 'newer' } })
  })

  test.each([
    ['after it was offered a handshake', slowNewer],
    ['after it has refused a handshake', reversedNewer],
  ])('is not started again when it has answered late, %s', async (_, take) => {
    const { link, seen } = await open(backendOf(take))
    expect(link.server).toMatchObject({ revision: '2026-07-28', info: { name: 'newer' } })
    expect(await seen()).toEqual(['server/discover', 'initialize', 'seen'])
  })

  test('is started again, without a handshake, when it has taken one and speaks both eras', async () => {
    const { link, seen } = await open(backendOf(slow(both, 1_500)))
    expect(link.server.revision).toBe('2026-07-28')
    expect(await seen()).toEqual(['server/discover', 'seen'])
  })

  test('is started again, without a handshake, when it has ended because of one after its late answer', async () => {
    const { seen } = await open(backendOf(fragileNewer))
    expect(await seen()).toEqual(['server/discover', 'seen'])
  })

  test('is opened with a handshake if the configuration says so, and then refuses it', async () => {
    await expect(open(backendOf(newer, 'handshake'))).rejects.toMatchObject({ code: 'BACKEND_REFUSED' })
  })
})

describe('for an owner with a handshake', () => {
  const owner = { era: 'handshake' } as const
  const withHandshake = ['initialize', 'notifications/initialized', 'seen']

  test.each(Object.entries({ ...servers, 'speaks both eras': both }))(
    'a server that %s is opened with a handshake, and is asked nothing else',
    async (_, take) => {
      const { link, seen } = await open(backendOf(take), owner)
      expect(link.server.revision).toBe('2025-11-25')
      expect(await seen()).toEqual(withHandshake)
    },
  )

  test('a server of both eras is opened as its owner speaks, whoever came first', async () => {
    const backend = backendOf(both)
    const opened: string[] = []
    for (const era of ['modern', 'handshake', 'modern', 'handshake'] as const) {
      const { link } = await open(backend, { era })
      opened.push(link.server.revision)
    }
    expect(opened).toEqual(['2026-07-28', '2025-11-25', '2026-07-28', '2025-11-25'])
  })

  test('a server of 2026-07-28 refuses once, and is opened on the same connection', async () => {
    const backend = backendOf(newer)
    const first = await open(backend, owner)
    expect(first.link.server).toMatchObject({ revision: '2026-07-28', info: { name: 'newer' } })
    expect(await first.seen()).toEqual(['initialize', 'server/discover', 'seen'])
    const second = await open(backend, owner)
    expect(await second.seen()).toEqual(['server/discover', 'seen'])
  })

  // Each takes seconds, so they are opened together.
  test('a server that is silent for a while gets a link in the era that it speaks', async () => {
    const cases = {
      'answers no handshake': taciturnNewer,
      'starts slowly and refuses the handshake late': slow(newer),
      'starts slowly and speaks both eras': slow(both),
      'starts slowly and dies of the question': slow(servers['dies of it']),
      'starts slowly and is older': slow(servers['answers with an error']),
    }
    const opened = Object.entries(cases).map(async ([name, take]) => {
      const { link, seen } = await open(backendOf(take), owner)
      // It also answers afterwards.
      expect(await seen()).toContain('seen')
      return [name, link.server.revision]
    })
    expect(Object.fromEntries(await Promise.all(opened))).toEqual({
      'answers no handshake': '2026-07-28',
      'starts slowly and refuses the handshake late': '2026-07-28',
      'starts slowly and speaks both eras': '2025-11-25',
      'starts slowly and dies of the question': '2025-11-25',
      'starts slowly and is older': '2025-11-25',
    })
  })

  test('a server of newer revisions alone is refused with them', async () => {
    await expect(open(backendOf(newest), owner)).rejects.toThrow(/2027-01-01/)
  })

  test('a server without any era is refused with its answer to the handshake', async () => {
    const none = `const take = (id) => answer(id, { error: { code: -32601, message: 'None of this' } })`
    await expect(open(backendOf(none), owner)).rejects.toThrow('None of this')
  })

  test('the configuration decides, if it does', async () => {
    const { link } = await open(backendOf(both, 'stateless'), owner)
    expect(link.server.revision).toBe('2026-07-28')
  })
})

test('a server of newer revisions alone is refused with them', async () => {
  await expect(open(backendOf(newest))).rejects.toThrow(/2027-01-01/)
})

test('a server with a handshake is refused where the configuration wants another', async () => {
  await expect(open(backendOf(servers['answers with an error'], 'stateless'))).rejects.toThrow(/2026-07-28/)
})

test('a program that is no server is refused in time', async () => {
  const backend = backendOf('const take = () => {}')
  const client = recordClient()
  await expect(backend.open(scopeFor(client, {}), client, AbortSignal.timeout(1_500))).rejects.toThrow(
    /timeout|aborted/i,
  )
})

test.each(['auto', 'stateless'] as const)(
  'a connection without an answer is closed when the open is given up, with era: %s',
  async (choice) => {
    const closed = Promise.withResolvers<undefined>()
    const close = vi.fn<Transport['close']>(async () => closed.resolve(undefined))
    const transport: Transport = { closed: closed.promise, send: () => undefined, close }
    const client = recordClient()
    const options = {
      backend: 'child',
      scope: scopeFor(client, {}),
      client,
      log: silentLog,
      emit: emitNothing,
      connect: () => transport,
    }
    const era = createEraMemory(choice, () => 0)
    await expect(openOnConnection(options, era, AbortSignal.timeout(1_500))).rejects.toThrow(/timeout|aborted/i)
    expect(close).toHaveBeenCalledOnce()
  },
)
