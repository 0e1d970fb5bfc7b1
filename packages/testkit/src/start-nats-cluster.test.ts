import { expect, test } from 'vitest'
import { listDescendants } from './descendants.ts'
import { eventually } from './eventually.ts'
import { startNatsCluster } from './start-nats-cluster.ts'

interface StorageView {
  readonly meta_cluster: { readonly leader: string; readonly cluster_size: number }
}

test('the servers of a cluster have one leader, elect another one when that is killed, and leave nothing', async () => {
  const cluster = await startNatsCluster(3)
  const leaderAt = async (monitor: string): Promise<string> => {
    const view = (await (await fetch(`${monitor}/jsz`)).json()) as StorageView
    expect(view.meta_cluster.cluster_size).toBe(3)
    return view.meta_cluster.leader
  }
  try {
    // A server may know of the others a moment later.
    const leaders = await eventually(
      async () => new Set(await Promise.all(cluster.servers.map(({ monitor }) => leaderAt(monitor)))),
    )
    expect([...leaders]).toEqual([expect.stringMatching(/^server-[012]$/)])
    const [first = ''] = leaders
    const killed = cluster.servers[Number(first.at(-1))]
    await killed?.kill()
    const others = cluster.servers.filter((server) => server !== killed)
    const seen = async () => Promise.all(others.map(({ monitor }) => leaderAt(monitor)))
    await expect.poll(seen, { timeout: 40_000, interval: 50 }).not.toContain(first)
    await cluster.well(others)
    expect(await seen()).not.toContain('')
    await killed?.restart()
    await cluster.well()
  } finally {
    await cluster.stop()
    await cluster.stop()
  }
  expect(listDescendants().filter(({ command }) => command.includes('nats-server'))).toEqual([])
}, 120_000)

test('a cluster of servers that cannot start is an error, and leaves nothing', async () => {
  await expect(startNatsCluster(2, { args: ['--no-such-option'] })).rejects.toThrow(/did not start/)
  expect(listDescendants().filter(({ command }) => command.includes('nats-server'))).toEqual([])
})
