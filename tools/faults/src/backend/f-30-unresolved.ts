import assert from 'node:assert/strict'
import dns from 'node:dns'
import { until } from '../client/until.ts'
import type { Scenario } from '../scenario.ts'
import { call, withRemote } from './scene.ts'

const name = 'flips.invalid'

/**
 * Lists have the tools of the other backends, the gateway is ready, and the server's tools appear when the name
 * resolves.
 */
export const unresolved: Scenario = {
  id: 'F-30',
  title: 'the name of a remote server cannot be resolved, and later can',
  ways: ['http', 'stdio'],
  async run(way, onProgress) {
    const lookup = dns.lookup
    let known = false
    // Names depend on the machine: this replaces its resolver.
    const resolve = (host: string, ...rest: unknown[]): void => {
      const asked = host === name && known ? '127.0.0.1' : host
      Reflect.apply(lookup, dns, [asked, ...rest])
    }
    dns.lookup = Object.assign(resolve, lookup)
    try {
      return await withRemote({ host: name }, async (scene) => {
        const peer = await scene.peer(way)
        const began = performance.now()
        const { result } = await peer.request('tools/list')
        const listMs = performance.now() - began
        assert.match(JSON.stringify(result), /other__echo/)
        assert.doesNotMatch(JSON.stringify(result), /remote__echo/)
        assert.equal((await call(peer, 'other__echo', { text: 'well' })).text, 'well')
        const down = await scene.status('remote')
        assert.notEqual(down.state, 'up')
        assert.ok(await scene.ready(), 'expected the gateway to be ready')
        assert.equal(scene.remote.received.length, 0)
        known = true
        onProgress('the name is known')
        const healed = performance.now()
        await until(
          'its tools to be there',
          async () => JSON.stringify((await peer.request('tools/list'))['result']).includes('remote__echo'),
          20_000,
        )
        const backMs = performance.now() - healed
        assert.equal((await call(peer, 'remote__echo', { text: 'there' })).text, 'there')
        return `the list is there without it after ${listMs.toFixed(0)} ms; ${down.state}: ${down.error?.message}; back ${backMs.toFixed(0)} ms after the name was`
      })
    } finally {
      dns.lookup = lookup
    }
  },
}
