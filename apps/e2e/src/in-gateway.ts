import { compiledOnce, programFile } from '@junctor/testkit'
import { fileURLToPath } from 'node:url'
import type { Log } from '@junctor/contracts'
import type { Plugin } from '@junctor/plugin-sdk'
import type { Cell } from './cell.ts'
import { type GatewayUnderTest, startGateway } from './gateway-under-test.ts'
import {
  type HttpWireClient,
  openClient,
  openHttpClient,
  type WireClient,
  type WireClientOptions,
} from './wire-client.ts'

/** A gateway for the duration of a test, with clients that are closed with it. */
export interface Scene {
  readonly gateway: GatewayUnderTest
  readonly client: (options?: WireClientOptions) => Promise<WireClient>
  /** A client over HTTP, regardless of the cell's transport. */
  readonly http: (options?: WireClientOptions) => Promise<HttpWireClient>
}

/** Runs a gateway with these backends in a cell. Cleans up everything, also when the body fails. */
export async function inGateway(
  cell: Cell,
  backends: Readonly<Record<string, object>>,
  body: (scene: Scene) => Promise<void>,
  more: {
    readonly config?: object
    readonly log?: Log
    readonly plugins?: readonly Plugin[]
    readonly folder?: string
  } = {},
): Promise<void> {
  const { config, ...rest } = more
  const gateway = await startGateway({ ...cell, config: { ...config, backends }, ...rest })
  const clients: WireClient[] = []
  const kept = <Kind extends WireClient>(client: Kind): Kind => {
    clients.push(client)
    return client
  }
  try {
    await body({
      gateway,
      client: async (options) => kept(await openClient(gateway, cell, options)),
      http: async (options) => kept(await openHttpClient(gateway, cell, options)),
    })
  } finally {
    await Promise.all(clients.map((client) => client.close()))
    await gateway.close()
  }
}

const leanServer = fileURLToPath(new URL('../fixtures/lean-server.ts', import.meta.url))

/** The configuration of the server by hand, as a child process. */
export function lean(options: object = {}, entry: object = {}): object {
  return { command: process.execPath, args: [leanServer, JSON.stringify(options)], env: compiledOnce, ...entry }
}

const askingServer = fileURLToPath(new URL('../fixtures/asking-server.ts', import.meta.url))

/** The configuration of the server of 2025-11-25 that asks its client, as a child process. */
export function asking(entry: object = {}): object {
  return { command: process.execPath, args: [askingServer], env: compiledOnce, ...entry }
}

const statelessServer = programFile(new URL('../fixtures/stateless-server.ts', import.meta.url))

/** The configuration of the server of 2026-07-28 alone, as a child process. */
export function statelessChild(entry: object = {}): object {
  return { command: process.execPath, args: [statelessServer, '--stdio'], env: compiledOnce, ...entry }
}

const bothErasServer = programFile(new URL('../fixtures/both-eras-server.ts', import.meta.url))

/** The configuration of the server of both eras, as a child process. */
export function bothEras(): object {
  return { command: process.execPath, args: [bothErasServer], env: compiledOnce }
}

const dataServer = fileURLToPath(new URL('../fixtures/data-server.ts', import.meta.url))

/**
 * The configuration of the server that answers from data, as a child process. It is shared, unless `entry` says otherwise:
 * it answers all clients alike, and a process for each of many sessions takes long.
 */
export function answering(options: object, entry: object = {}): object {
  return {
    command: process.execPath,
    args: [dataServer, JSON.stringify(options)],
    env: compiledOnce,
    isolation: 'shared',
    ...entry,
  }
}

/** For `answering`: a process for each session, which learns what its client declares. */
export const ofSession: object = { isolation: 'session' }

const taskServer = fileURLToPath(new URL('../fixtures/task-server.ts', import.meta.url))

/** The configuration of the server of 2026-07-28 with tasks of its own, as a child process. */
export function taskChild(): object {
  return { command: process.execPath, args: [taskServer, '--stdio'], env: compiledOnce }
}

/** The configuration of the demo, in this process. */
export function demo(entry: object = {}): object {
  return { plugin: '@junctor/plugin-demo', ...entry }
}
