import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../client/until.ts'
import type { Scenario } from '../scenario.ts'
import { ask, call, fabricMetric, type FabricScene, isAlive, readiness, submit, withFabric } from './scene.ts'

/** While nothing can be stored: operations that need storage are refused and counted, the rest continues. */
async function isRefused(
  { gateways, runs }: FabricScene,
  peer: Awaited<ReturnType<FabricScene['connect']>>,
): Promise<void> {
  const [one] = gateways
  assert(one)
  // Newer servers keep small data in memory for a while.
  let count = 0
  const refused = await until('a task that is refused', async () => {
    count += 1
    const filler = { nonce: `refused ${count}`, text: 'x'.repeat(400_000) }
    const answer = await ask(peer, 'tools/call', { name: 'work__adds', arguments: filler, task: {} })
    return answer.reason === undefined ? undefined : answer
  })
  assert.deepEqual([refused.reason, refused.retryable], ['fabric_unavailable', true])
  assert(refused.ms < 6_500, `Expected a refusal within 6.5 s, took ${refused.ms} ms`)
  assert.equal((await call(peer, 'adds', 'local')).text, 'local')
  await until('a gateway that is not ready', async () => (await readiness(one)) === 'fabric_unavailable')
  assert(await isAlive(one))
  assert((await fabricMetric(one, 'storage_failures_total')) > 0)
  assert.equal(runs(`refused ${count}`), 0)
}

/** NATS stores up to its configured limit, and reports when it is reached. */
export const storageBound: Scenario = {
  id: 'F-13',
  title: 'the storage of NATS is as full as it may be',
  ways: ['http'],
  heavy: true,
  run: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'junctor-faults-'))
    const file = join(folder, 'nats.conf')
    writeFileSync(file, 'jetstream { max_file_store: 4MB }\n')
    try {
      return await withFabric({ gateways: 1, server: { args: ['-c', file] } }, async (scene) => {
        const peer = await scene.connect()
        const accepted: string[] = []
        let full = ''
        await until('storage that is full', async () => {
          const filler = { name: 'work__sets', arguments: { nonce: 'filler', text: 'x'.repeat(400_000), ms: 60_000 } }
          const { result, reason } = await ask(peer, 'tools/call', { ...filler, task: {} })
          const task = result?.['task'] as { taskId: string } | undefined
          if (task === undefined) full = String(reason)
          else accepted.push(task.taskId)
          return task === undefined
        })
        assert.equal(full, 'fabric_unavailable')
        await isRefused(scene, peer)
        // Expired data make room again.
        const states = await Promise.all(accepted.map((taskId) => ask(peer, 'tasks/get', { taskId })))
        for (const { result } of states) assert(result !== undefined, 'Expected what was accepted to be there')
        return `${accepted.length} tasks accepted, then refused; what was accepted is there`
      })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

/** The disk itself is full: NATS does not answer until it is restarted. Needs root, for its own file system. */
export const fullDisk: Scenario = {
  id: 'F-13',
  title: 'the disk of NATS is full, has room again, and NATS is started again',
  ways: ['http'],
  heavy: true,
  run: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'junctor-faults-'))
    if (process.getuid?.() !== 0) return 'not tried: only root may mount a file system'
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', folder])
    try {
      return await withFabric({ gateways: 1, server: { folder } }, async (scene) => {
        const { server, gateways, connect } = scene
        const [one] = gateways
        assert(one)
        const peer = await connect()
        const kept = await submit(peer, 'sets', 'kept')
        assert.equal((await ask(peer, 'tasks/result', { taskId: kept.id })).text, 'kept')
        const { bavail, bsize } = statfsSync(folder)
        const filler = join(folder, 'filler')
        writeFileSync(filler, Buffer.alloc(bavail * bsize))
        await isRefused(scene, peer)
        rmSync(filler)
        await server.kill()
        await server.restart()
        await until('a gateway that is ready', async () => (await readiness(one)) === 'ready')
        assert.equal((await ask(peer, 'tasks/result', { taskId: kept.id })).text, 'kept')
        const later = await submit(peer, 'adds', 'later')
        assert.equal((await ask(peer, 'tasks/result', { taskId: later.id })).text, 'later')
        return 'refused while it was full; after that all is as before, and what was accepted is there'
      })
    } finally {
      execFileSync('umount', ['-l', folder])
      rmSync(folder, { recursive: true, force: true })
    }
  },
}
