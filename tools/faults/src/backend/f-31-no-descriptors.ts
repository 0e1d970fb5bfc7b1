import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { openSession } from '../client/peer/create-peer.ts'
import { until } from '../client/until.ts'
import { withProcess } from '../client/with-process.ts'
import type { Scenario } from '../scenario.ts'
import { call, faulty, reason } from './scene.ts'

const enough = 1024

/** No program is started, running ones continue, and the gateway recovers when there are free descriptors. */
export const noDescriptors: Scenario = {
  id: 'F-31',
  title: 'the gateway runs out of file descriptors',
  ways: ['http', 'stdio'],
  heavy: true,
  run: (way, onProgress) =>
    withProcess(way, { backends: { faulty: faulty(), late: faulty() } }, async ({ gateway, ...scene }) => {
      const peer = scene.connect()
      await openSession(peer)
      assert.equal((await call(peer, 'faulty__echo', { text: 'before' })).text, 'before')
      const pid = Number((await call(peer, 'late__pid')).text)
      // Limits the descriptor numbers to those in use: no other file can be opened.
      const open = gateway.descriptors()
      allow(gateway.pid, open - 1)
      process.kill(pid, 'SIGKILL')
      await until('the program not to be started again', async () => {
        return reason(await call(peer, 'late__echo', { text: 'x' })) === 'backend_unavailable'
      })
      for (let count = 0; count < 5; count += 1) {
        // oxlint-disable-next-line no-await-in-loop
        assert.equal((await call(peer, 'faulty__echo', { text: 'well' })).text, 'well')
      }
      allow(gateway.pid, enough)
      onProgress('there are descriptors again')
      const began = performance.now()
      await until(
        'the program to run again',
        async () => (await call(peer, 'late__echo', { text: 'x' })).text === 'x',
        20_000,
      )
      const backMs = performance.now() - began
      return `with ${open} open and no more to be had the program is not started again: backend_unavailable; what runs goes on; well ${backMs.toFixed(0)} ms after there were more`
    }),
}

function allow(pid: number, descriptors: number): void {
  execFileSync('prlimit', ['--pid', String(pid), `--nofile=${descriptors}:`])
}
