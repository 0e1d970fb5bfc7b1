import { parentPort, workerData } from 'node:worker_threads'
import { openSession } from './peer/create-peer.ts'
import { createHttpPeer } from './peer/http-peer.ts'

// The thread of `startSteadyCalls`: makes one call after the other, until it is ended.

const peer = createHttpPeer(workerData as string)
await openSession(peer, 'steady')
let times: number[] = []
parentPort?.on('message', () => {
  // A thread has no origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  parentPort?.postMessage(times)
  times = []
})
for (;;) {
  const began = performance.now()
  // oxlint-disable-next-line no-await-in-loop
  const { result } = await peer.request('tools/call', { name: 'demo__echo', arguments: { message: 'x' } })
  if (result === undefined) throw new Error('A call of the steady client failed')
  times.push(performance.now() - began)
}
