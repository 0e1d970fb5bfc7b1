import type { Cell } from './cell.ts'
import { type Scene, inGateway } from './in-gateway.ts'
import { openStatelessClient, type StatelessClient, type StatelessClientOptions } from './stateless-client.ts'

/** A gateway with clients of 2026-07-28. */
export interface StatelessScene extends Scene {
  readonly stateless: (options?: StatelessClientOptions) => Promise<StatelessClient>
}

/** Runs a gateway in a cell, with clients of 2026-07-28 that are closed with it. */
export async function inStateless(
  cell: Cell,
  backends: Readonly<Record<string, object>>,
  body: (scene: StatelessScene) => Promise<void>,
  config: object = {},
): Promise<void> {
  await inGateway(
    cell,
    backends,
    async (scene) => {
      const open: StatelessClient[] = []
      try {
        await body({
          ...scene,
          async stateless(options) {
            const client = await openStatelessClient(scene.gateway, cell, options)
            open.push(client)
            return client
          },
        })
      } finally {
        await Promise.all(open.map((client) => client.close()))
      }
    },
    { config },
  )
}
