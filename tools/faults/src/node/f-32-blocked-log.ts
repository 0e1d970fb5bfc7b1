import assert from 'node:assert/strict'
import { loud } from '../client/loud.ts'
import { openSession } from '../client/peer/create-peer.ts'
import { withProcess } from '../client/with-process.ts'
import type { Scenario } from '../scenario.ts'

/** More than a pipe and the gateway's own buffer hold. */
const notifications = 20_000
const atOnce = 100
const calls = 100

/** Its log is not read, and the disk of its files is full: traffic continues. */
export const blockedLog: Scenario = {
  id: 'F-32',
  title: 'a log without a reader, files on a full disk',
  ways: ['http', 'stdio'],
  run(way) {
    const full = { file: '/dev/full' }
    const config = { backends: { loud: loud() }, events: full, audit: full }
    return withProcess(
      way,
      config,
      async ({ gateway, connect }) => {
        const peer = connect()
        await openSession(peer)
        gateway.child.stderr.pause()
        const before = gateway.rss()
        // Each notification is a line of the log at level debug.
        for (let count = 0; count < notifications; count += atOnce) {
          const sent = Array.from({ length: atOnce }, () => peer.notify('notifications/unknown'))
          // oxlint-disable-next-line no-await-in-loop
          await Promise.all(sent)
        }
        const began = performance.now()
        for (let call = 0; call < calls; call += 1) {
          // oxlint-disable-next-line no-await-in-loop
          const answer = await peer.request('tools/call', { name: 'loud__echo', arguments: { text: `${call}` } })
          assert.ok(answer['result'], JSON.stringify(answer))
        }
        const took = performance.now() - began
        const grown = (gateway.rss() - before) / 1e6
        assert.ok(grown < 150, `memory grew by ${grown} MB`)
        gateway.child.stderr.resume()
        return `${calls} calls in ${Math.round(took)} ms beside a blocked log and full disks; RSS +${Math.round(grown)} MB`
      },
      { words: ['--log-level', 'debug'] },
    )
  },
}
