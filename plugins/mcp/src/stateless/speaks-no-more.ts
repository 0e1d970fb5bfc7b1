import { methods, settlesWithin } from '@junctor/plugin-sdk/link'
import { declared } from './declare.ts'
import { readDiscovery } from './read-discovery.ts'
import type { StatelessWire } from './stateless-wire.ts'

/** How long a server has to answer, in milliseconds. */
const answerMs = 5_000

/** Asks a server that spoke 2026-07-28 whether it does not any more: it may have been replaced at its address. Never rejects. */
export async function speaksNoMore(wire: Pick<StatelessWire, 'send'>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const sent = wire.send(methods.serverDiscover, declared(undefined, { capabilities: {} }), {
    notification() {},
    answered: (response) => resolve(readDiscovery(response).kind !== 'stateless'),
    failed: ({ mayBeOlder = false }) => resolve(mayBeOlder),
  })
  if (await settlesWithin(promise, answerMs)) return promise
  sent.cancel('not answered')
  return false
}
