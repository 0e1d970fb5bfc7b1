import type { JsonObject } from '@junctor/jsonrpc'
import { httpToolsPlugin } from '@junctor/plugin-http-tools'
import type { Plugin } from '@junctor/plugin-sdk'
import type { Cell } from '../cell.ts'
import { inGateway, type Scene } from '../in-gateway.ts'
import { openWire } from '../wire-client.ts'
import type { OpenWire } from '../wire.ts'
import { forecastPlugin } from './forecast-plugin.ts'

/** Sends a request, and waits for its response. */
export type Ask = (message: string | JsonObject) => Promise<JsonObject>

/** The plugins for the profile `ftl`: components behind HTTP, and the same in the gateway's process. */
export const plugins: readonly Plugin[] = [forecastPlugin, httpToolsPlugin]

/** A gateway with the profile `ftl`, and a wire to it without any messages yet. */
export async function onWire(
  cell: Cell,
  backends: Readonly<Record<string, object>>,
  body: (ask: Ask, scene: Scene & { readonly wire: OpenWire }) => Promise<void>,
  config: object = {},
): Promise<void> {
  await inGateway(
    cell,
    backends,
    async (scene) => {
      const wire = await openWire(scene.gateway, cell)
      try {
        await body((message) => ask(wire, message), { ...scene, wire })
      } finally {
        await wire.close()
      }
    },
    { config: { profile: 'ftl', ...config }, plugins },
  )
}

/** Sends a request on a wire, and waits for its response. */
export async function ask(wire: OpenWire, message: string | JsonObject): Promise<JsonObject> {
  const sent = typeof message === 'string' ? (JSON.parse(message) as JsonObject) : message
  await wire.send(sent)
  const { message: answer } = await wire.until(
    (received) => received.message['id'] === sent['id'] && received.message['method'] === undefined,
  )
  return answer
}

/** A request with an id of its own. */
export function request(method: string, params?: JsonObject): JsonObject {
  return { jsonrpc: '2.0', id: crypto.randomUUID(), method, ...(params && { params }) }
}

/** The call of a tool. */
export function call(name: string, args: unknown = {}): JsonObject {
  return request('tools/call', { name, arguments: args } as JsonObject)
}
