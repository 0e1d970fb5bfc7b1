import type { JsonObject } from '@junctor/jsonrpc'
import { openSession } from '../client/peer/create-peer.ts'
import { createHttpPeer } from '../client/peer/http-peer.ts'
import { pick } from './random.ts'

/** The results of all clients. */
export interface Tally {
  sessions: number
  results: number
  /** JSON-RPC errors, by their reason. */
  readonly errors: Map<string, number>
  /** Requests without an answer, or with a late one: must stay 0. */
  lost: number
}

const tools = [
  { name: 'child__echo', arguments: { text: 'hello' } },
  { name: 'child__repeat', arguments: { text: 'hello', ms: 40 } },
  { name: 'changing__echo', arguments: { text: 'hello' } },
  { name: 'remote__echo', arguments: { text: 'hello' } },
  { name: 'demo__add', arguments: { a: 1, b: 2 } },
  { name: 'demo__progress', arguments: { steps: 3, delayMs: 5 } },
  { name: 'nobody__has_this', arguments: {} },
] as const

/** Opens sessions one after the other until it is stopped: calls, cancels, and ends the sessions properly or not. */
export async function keepBusy(url: string, random: () => number, tally: Tally, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const peer = createHttpPeer(url)
    try {
      // A client does one thing after the other.
      // oxlint-disable-next-line no-await-in-loop
      await openSession(peer, 'busy')
      tally.sessions += 1
      // Some also open the session's own stream.
      // oxlint-disable-next-line no-await-in-loop
      if (random() < 0.3) await peer.listen()
      // oxlint-disable-next-line no-await-in-loop
      await useSession(peer, random, tally)
      // Half of them disconnect without ending the session.
      // oxlint-disable-next-line no-await-in-loop
      if (random() < 0.5) await peer.end()
    } catch {
      if (!stop.aborted) tally.lost += 1
    } finally {
      // oxlint-disable-next-line no-await-in-loop
      await peer.close()
    }
  }
}

/** How many concurrent calls a hurried client makes, and how often: small leaks become visible. */
const hurry = { atOnce: 20, times: 20 } as const

async function useSession(peer: ReturnType<typeof createHttpPeer>, random: () => number, tally: Tally): Promise<void> {
  if (random() < 0.4) await hurryOn(peer, tally)
  for (let calls = 2 + Math.floor(random() * 6); calls > 0; calls -= 1) {
    const params = { ...pick(random, tools), _meta: { progressToken: `p${calls}` } }
    const fate = random()
    if (fate < 0.1) {
      // A cancelled call, for whose answer no code waits.
      void peer.send(JSON.stringify({ jsonrpc: '2.0', id: `c${calls}`, method: 'tools/call', params })).catch(() => {})
      // oxlint-disable-next-line no-await-in-loop
      await peer.notify('notifications/cancelled', { requestId: `c${calls}` })
    } else if (fate < 0.15) {
      // A call during which the client disconnects.
      void peer.send(JSON.stringify({ jsonrpc: '2.0', id: `g${calls}`, method: 'tools/call', params })).catch(() => {})
      return
    } else {
      // oxlint-disable-next-line no-await-in-loop
      count(await peer.request('tools/call', params), tally)
    }
  }
}

async function hurryOn(peer: ReturnType<typeof createHttpPeer>, tally: Tally): Promise<void> {
  for (let time = 0; time < hurry.times; time += 1) {
    const calls = Array.from({ length: hurry.atOnce }, () =>
      peer.request('tools/call', {
        name: 'demo__progress',
        arguments: { steps: 1, delayMs: 0 },
        _meta: { progressToken: 1 },
      }),
    )
    // oxlint-disable-next-line no-await-in-loop
    for (const answer of await Promise.all(calls)) count(answer, tally)
  }
}

function count({ error }: JsonObject, tally: Tally): void {
  if (error === undefined) {
    tally.results += 1
    return
  }
  const { data, code } = error as { code: number; data?: { reason?: string } }
  const reason = data?.reason ?? String(code)
  tally.errors.set(reason, (tally.errors.get(reason) ?? 0) + 1)
}
