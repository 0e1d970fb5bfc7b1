import type { JsonObject } from '@junctor/jsonrpc'
import { expect } from 'vitest'
import { serveStateless } from '../fixtures/stateless-server.ts'
import { answeringClient } from '../src/answering-client.ts'
import { demo } from '../src/in-gateway.ts'
import { inStateless, type StatelessScene } from '../src/in-stateless.ts'
import { resultOf } from '../src/result-of.ts'
import { verifies } from '../src/verifies.ts'

/** Half of them are of 2026-07-28. Each has three calls at the same time. */
const clients = 40
/** How often each client calls. More for a longer run: `MIXED_ROUNDS=300` takes minutes. */
const rounds = Number(process.env['MIXED_ROUNDS'] ?? 2)

const secretOf = (index: number): string => `secret-${index}-`
const call = (name: string, args: JsonObject): JsonObject => ({ name, arguments: args })

interface Visitor {
  readonly secret: string
  /** Calls a tool, and answers its questions with the secret. */
  readonly run: (name: string, args: JsonObject) => Promise<JsonObject>
  /** Everything that it has received. */
  readonly received: () => string
}

async function open({ client, stateless }: StatelessScene, index: number): Promise<Visitor> {
  const secret = secretOf(index)
  const { capabilities, answers } = answeringClient(secret)
  const answerNow = answers as Readonly<Record<string, (params: JsonObject) => JsonObject>>
  if (index % 2 === 0) {
    const one = await client({ capabilities, answers })
    return {
      secret,
      run: (name, args) => one.request('tools/call', call(name, args)),
      received: () => JSON.stringify(one.received),
    }
  }
  const one = await stateless({ capabilities })
  return {
    secret,
    run: (name, args) => one.complete('tools/call', call(name, args), answerNow),
    received: () => JSON.stringify(one.wire.received),
  }
}

/** Calls that ask the client, of servers of both eras, at the same time. */
async function callAll({ run, secret }: Visitor): Promise<void> {
  const [sampled, confirmed, echoed] = await Promise.all([
    run('demo__summarize', { text: secret }),
    run('newer__confirm', { text: secret }),
    run('newer__echo', { text: secret }),
  ])
  expect(JSON.stringify(resultOf(sampled))).toContain(`sampled ${secret}`)
  expect(JSON.stringify(resultOf(confirmed))).toContain(`answered ${secret}`)
  expect(JSON.stringify(resultOf(echoed))).toContain(secret)
}

async function waitingAt(admins: readonly string[]): Promise<number> {
  const pages = await Promise.all(admins.map(async (url) => (await fetch(`${url}/metrics`)).text()))
  return pages.reduce((sum, page) => sum + Number(/^mcp_requests_waiting (\d+)$/m.exec(page)?.[1] ?? Number.NaN), 0)
}

verifies('ERA-18', { ways: ['http'], revisions: ['2025-11-25'] }, async (cell) => {
  const server = await serveStateless()
  try {
    const config = { listen: { admin: { port: 0 } } }
    await inStateless(
      cell,
      { demo: demo(), newer: { url: server.url } },
      async (scene) => {
        const visitors = await Promise.all(Array.from({ length: clients }, (_, index) => open(scene, index)))
        for (let round = 0; round < rounds; round += 1) await Promise.all(visitors.map((visitor) => callAll(visitor)))
        for (const { received, secret } of visitors) {
          expect([...new Set(received().match(/secret-\d+-/g))]).toEqual([secret])
        }
        expect(await waitingAt(scene.gateway.admins)).toBe(0)
      },
      config,
    )
  } finally {
    await server.close()
  }
})
