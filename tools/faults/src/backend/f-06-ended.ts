import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { untilGone } from '@junctor/testkit'
import { until } from '../client/until.ts'
import { withProcess } from '../client/with-process.ts'
import { openSession } from '../client/peer/create-peer.ts'
import type { Scenario } from '../scenario.ts'
import { call, faulty } from './scene.ts'

const goneMs = 5_000

/** Five seconds after the end, no process is left: neither behind a wrapper nor in a session of its own. */
export const ended: Scenario = {
  id: 'F-6',
  title: 'the gateway is asked to end, reloads, is killed',
  ways: ['http', 'stdio'],
  heavy: true,
  async run(way, onProgress) {
    const seen: string[] = []
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      onProgress(signal)
      // One gateway after the other.
      // oxlint-disable-next-line no-await-in-loop
      seen.push(await endBy(way, signal))
    }
    return seen.join('; ')
  },
}

function endBy(way: 'http' | 'stdio', signal: 'SIGTERM' | 'SIGKILL'): Promise<string> {
  // Like npx: a program that starts the server, and waits for it.
  const { command, args } = faulty() as { command: string; args: string[] }
  const wrapped = { ...faulty(), command: 'sh', args: ['-c', '"$0" "$@"; exit $?', command, ...args] }
  return withProcess(way, { backends: { direct: faulty(), wrapped } }, async ({ gateway, ...scene }) => {
    const peer = scene.connect()
    await openSession(peer)
    // One child of each stays in its group, one leaves it.
    await Promise.all(['direct', 'wrapped'].map((name) => call(peer, `${name}__spawn`)))
    const before = gateway.descendants()
    let reloaded = ''
    if (way === 'http') {
      const config = JSON.parse(readFileSync(gateway.file, 'utf8')) as { backends: object }
      writeFileSync(`${gateway.file}.new`, JSON.stringify({ ...config, backends: { direct: faulty() } }))
      renameSync(`${gateway.file}.new`, gateway.file)
      gateway.child.kill('SIGHUP')
      const wasWrapped = before.filter(({ command: words }) => words.startsWith('sh -c'))
      await untilGone(wasWrapped, goneMs * 2)
      await until(
        'the reload to be complete',
        async () => (await call(peer, 'direct__echo', { text: 'x' })).text === 'x',
      )
      reloaded = `, ${wasWrapped.length} of it already by a reload`
    }
    const all = gateway.descendants()
    assert.ok(before.length >= 8, `expected the guard, two programs, a wrapper and four more, got ${before.length}`)
    const exited = once(gateway.child, 'exit')
    gateway.inspector.close()
    const began = performance.now()
    gateway.child.kill(signal)
    await exited
    await untilGone([...before, ...all], goneMs)
    return `${signal}: all ${before.length} processes gone after ${(performance.now() - began).toFixed(0)} ms${reloaded}`
  })
}
