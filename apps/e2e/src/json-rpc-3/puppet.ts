import type { Backend } from '@junctor/contracts'
import type { Exchange, Outcome } from '@junctor/exchange'
import { type JsonValue, payloadOf, type Request } from '@junctor/jsonrpc'
import { definePlugin, type Plugin } from '@junctor/plugin-sdk'
import * as z from 'zod'

/** A call that has reached the backend, and is controlled by the test. */
export interface PuppetCall {
  readonly method: string
  /** The params as they were received. */
  readonly params: JsonValue | undefined
  readonly exchange: Exchange
  /** Ends the call with a result. */
  finish(result: JsonValue): void
}

/** A backend outside MCP that does nothing itself: the test controls each of its calls. */
export interface Puppet {
  /** Add it to the gateway's plugins, and use it as `{ plugin: puppet }`. All nodes and links share one puppet. */
  readonly plugin: Plugin
  /** The received calls in order, from all nodes. */
  readonly calls: readonly PuppetCall[]
}

const config: z.ZodType<object> = z.strictObject({})
const server = {
  revision: '2025-11-25',
  capabilities: {},
  info: { name: 'puppet', version: '1' },
  instructions: undefined,
} as const

/** Creates a backend that answers these methods, and has no tools. A call stays open until the test finishes it. */
export function createPuppet(methods: readonly string[]): Puppet {
  const calls: PuppetCall[] = []

  function call(request: Request, exchange: Exchange): Promise<Outcome> {
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    calls.push({
      method: request.method,
      params: request.params?.value() as JsonValue | undefined,
      exchange,
      finish: (result) => resolve({ kind: 'complete', result: payloadOf(result) }),
    })
    return promise
  }

  const create = (name: string): Backend => ({
    name,
    correlates: true,
    methods,
    open() {
      const { promise: closed, resolve } = Promise.withResolvers<undefined>()
      return Promise.resolve({
        server,
        list: () => Promise.resolve([]),
        call,
        notify() {},
        closed,
        close: () => Promise.resolve(resolve(undefined)),
      })
    },
    close: () => Promise.resolve(),
  })

  return {
    plugin: definePlugin({ name: 'puppet', key: 'plugin', config, create: (_config, { name }) => create(name) }),
    calls,
  }
}
