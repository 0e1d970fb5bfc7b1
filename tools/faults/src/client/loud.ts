import { compiledOnce } from '@junctor/testkit'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '@junctor/jsonrpc'

const server = fileURLToPath(new URL('servers/loud-server.ts', import.meta.url))

/** A configured backend: the loud server, as a child process. */
export function loud(options: JsonObject = {}, entry: JsonObject = {}): JsonObject {
  return { command: process.execPath, args: [server, JSON.stringify(options)], env: compiledOnce, ...entry }
}

/** A configured backend: the demo, in the gateway's process. */
export const demo: JsonObject = { plugin: '@junctor/plugin-demo' }
