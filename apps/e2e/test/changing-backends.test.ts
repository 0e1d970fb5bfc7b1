import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { type JsonObject, memberOf } from '@junctor/jsonrpc'
import { eventually, untilNoDescendants } from '@junctor/testkit'
import { startGateway } from '../src/gateway-under-test.ts'
import { demo, lean } from '../src/in-gateway.ts'
import { namesOf } from '../src/result-of.ts'
import { openHttpClient, type WireClient } from '../src/wire-client.ts'
import { parsedFor } from '../src/parsed-for.ts'

// Random lives of backends, while clients call them.

vi.setConfig({ testTimeout: 120_000 })

const token = 'a-token-for-tests'
const names = ['a', 'b', 'c'] as const

/** What happens to one backend: `file` changes the configuration at all nodes, `admin` asks one node. */
type Step =
  | { readonly kind: 'file'; readonly name: string; readonly entry: 'child' | 'plugin' | 'changed' | 'none' }
  | { readonly kind: 'rename'; readonly from: string; readonly to: string }
  | { readonly kind: 'admin'; readonly name: string; readonly method: 'PUT' | 'DELETE'; readonly timeout: string }
  | { readonly kind: 'wait' }

const name = fc.constantFrom(...names)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('file' as const),
    name,
    entry: fc.constantFrom('child' as const, 'plugin' as const, 'changed' as const, 'none' as const),
  }),
  fc.record({ kind: fc.constant('rename' as const), from: name, to: name }),
  fc.record({
    kind: fc.constant('admin' as const),
    name: fc.constantFrom('x', 'a'),
    method: fc.constantFrom('PUT' as const, 'DELETE' as const),
    timeout: fc.constantFrom('20s', '21s'),
  }),
  fc.record({ kind: fc.constant('wait' as const) }),
)

const entries: Readonly<Record<Extract<Step, { kind: 'file' }>['entry'], object | undefined>> = {
  child: lean(),
  plugin: demo(),
  changed: lean({}, { timeout: '19s' }),
  none: undefined,
}

/** What a call may end with besides its result: the backend is gone, or is being replaced. */
const reasons = new Set(['unknown_tool', 'backend_unavailable', 'backend_exited'])

/** Calls echoes that the client sees, until it is stopped. Each call must have exactly one answer. */
async function callOn(client: WireClient, stop: AbortSignal): Promise<number> {
  let answered = 0
  for (; !stop.aborted; answered += 1) {
    const tools = namesOf(await client.request('tools/list')).filter((tool) => tool.endsWith('__echo'))
    const tool = tools[answered % Math.max(1, tools.length)]
    if (tool === undefined) continue
    const message = `message ${answered}`
    const answer = await client.request('tools/call', { name: tool, arguments: { message } })
    const { result, error } = answer
    if (error === undefined) expect(JSON.stringify(result)).toContain(message)
    else expect([...reasons]).toContain(reasonOf(error as JsonObject))
  }
  return answered
}

function reasonOf({ data }: JsonObject): unknown {
  return memberOf(data, 'reason')
}

async function live(steps: readonly Step[], nodes: 1 | 2): Promise<void> {
  const far = await startGateway({ nodes: 1, config: { backends: { far: demo({ prefix: '' }) } } })
  const listen = { http: { port: 0 }, admin: { port: 0, token } }
  const file: Record<string, object> = { kept: demo() }
  const configOf = (): object => ({ listen, limits: { grace: '100ms' }, backends: file })
  const gateway = await startGateway({ nodes, config: configOf() })
  const added = new Set<string>()
  const stop = new AbortController()
  try {
    const clients = await Promise.all(
      [0, 1].map(() => openHttpClient(gateway, { revision: '2025-11-25' }, { listens: false })),
    )
    const calling = clients.map((client) => callOn(client, stop.signal))
    const reload = async (): Promise<void> => {
      const parsed = parsedFor(configOf())
      const results = await Promise.all(gateway.nodes.map((node) => node.reload(parsed)))
      expect(results.map(({ kind }) => kind)).toEqual(gateway.nodes.map(() => 'taken'))
    }
    const manage = async ({ name: which, method, timeout }: Extract<Step, { kind: 'admin' }>): Promise<void> => {
      const answer = await fetch(`${gateway.admins.at(-1)}/backends/${which}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', connection: 'close' },
        ...(method === 'PUT' && { body: JSON.stringify({ url: far.urls[0], timeout }) }),
      })
      const isOfFile = Object.hasOwn(file, which)
      const expected = isOfFile ? 409 : method === 'PUT' ? (added.has(which) ? 200 : 201) : added.has(which) ? 200 : 404
      expect({ status: answer.status, body: await answer.json() }).toMatchObject({ status: expected })
      if (isOfFile) return
      if (method === 'PUT') added.add(which)
      else added.delete(which)
    }
    for (const one of steps) {
      if (one.kind === 'wait') await clients[0]?.request('ping')
      else if (one.kind === 'admin') await manage(one)
      else {
        if (one.kind === 'file') {
          const entry = entries[one.entry]
          if (entry === undefined) delete file[one.name]
          else file[one.name] = entry
        } else if (file[one.from] !== undefined && one.from !== one.to) {
          file[one.to] = file[one.from] as object
          delete file[one.from]
        }
        await reload()
      }
    }
    const wanted = [...new Set([...Object.keys(file), ...added])].map((each) => `${each}__echo`).toSorted()
    // The answers of all nodes, one after the other, are what is configured.
    await eventually(async () => {
      for (let round = 0; round < 2 * nodes; round += 1) {
        const seen = namesOf((await clients[0]?.request('tools/list')) ?? {}).filter((tool) => tool.endsWith('__echo'))
        expect(seen.toSorted()).toEqual(wanted)
      }
    }, 20_000)
    stop.abort()
    for (const count of await Promise.all(calling)) expect(count).toBeGreaterThan(0)
    await Promise.all(clients.map((client) => client.close()))
  } finally {
    stop.abort()
    await gateway.close()
    await far.close()
  }
  await untilNoDescendants()
}

describe('backends that change while they are used', () => {
  test.each([1, 2] as const)(
    'every call has one answer, and the lists are what is configured: %i nodes',
    async (nodes) => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 12 }), (steps) => live(steps, nodes)),
        { numRuns: 12, interruptAfterTimeLimit: 60_000, markInterruptAsFailure: false, endOnFailure: true },
      )
    },
  )
})
