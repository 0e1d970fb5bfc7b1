import type { Backend } from '@junctor/contracts'
import type { Exchange, Outcome } from '@junctor/exchange'
import type { JsonValue, Request } from '@junctor/jsonrpc'
import { payloadOf } from '@junctor/jsonrpc'
import { definePlugin, type Plugin } from '@junctor/plugin-sdk'
import * as z from 'zod'

/** A call that has reached the backend, and waits for what the test makes of it. */
export interface PuppetCall {
  readonly method: string
  /** As they came. */
  readonly params: JsonValue | undefined
  readonly exchange: Exchange
  /** Ends it with a result. */
  finish(result: JsonValue): void
}

/** A backend outside MCP that does nothing by itself: each of its calls is played by the test. */
export interface Puppet {
  /** To be among the gateway's plugins, as `{ plugin: puppet }`. All nodes and links share the one puppet. */
  readonly plugin: Plugin
  /** The calls that have come, in order, whichever node they came by. */
  readonly calls: readonly PuppetCall[]
}

const config: z.ZodType<object> = z.strictObject({})
const server = {
  revision: '2025-11-25',
  capabilities: {},
  info: { name: 'puppet', version: '1' },
  instructions: undefined,
} as const

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
