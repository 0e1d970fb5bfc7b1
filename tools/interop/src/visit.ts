import * as z from 'zod'
import { revisions } from './eras.ts'
import { type Feature, features } from './features.ts'
import type { ClientCell, Outcome, ServerCell } from './outcome.ts'
import type { Peer } from './peer.ts'
import { runCommand } from './run-command.ts'

const line = z.object({
  feature: z.enum([...features, 'connection']),
  outcome: z.enum(['passed', 'failed']),
  detail: z.string(),
})

// A client gives up on a feature after 20 seconds; most take less than one.
const visitMilliseconds = 120_000

/** The features that both sides have, in the order of the list. */
export function sharedFeatures(
  client: { readonly peer: Peer; readonly cell: ClientCell },
  server: { readonly peer: Peer; readonly cell: ServerCell },
): Feature[] {
  const lacks = [
    ...client.peer.lacks.filter(({ side, era }) => side === 'client' && (era ?? client.cell.era) === client.cell.era),
    ...server.peer.lacks.filter(
      ({ side, era, transport }) =>
        side === 'server' &&
        (era ?? server.cell.era) === server.cell.era &&
        (transport ?? server.cell.transport) === server.cell.transport,
    ),
  ]
  const isStateless = client.cell.era === 'stateless' && server.cell.era === 'stateless'
  return features.filter((feature) => {
    if (lacks.some((lack) => lack.feature === feature)) return false
    // The SDKs have only the tasks that 2026-07-28 negotiates.
    return feature !== 'tasks' || isStateless
  })
}

/** Runs a client against a gateway. A feature without a line of its own has failed. */
export async function visit(
  endpoint: string,
  client: Peer,
  folder: string,
  cells: { readonly client: ClientCell; readonly server: ServerCell },
  wanted: readonly Feature[],
): Promise<Outcome[]> {
  const args = [endpoint, revisions[cells.client.era], cells.server.peer, ...wanted]
  const ended = await runCommand([...client.client, ...args], folder, visitMilliseconds)
  if (ended.kind === 'missing') throw new Error(`${client.client[0]} is not built`)
  const lines = ended.output.split('\n').filter((text) => text.startsWith('{'))
  const reported = new Map(lines.map((text) => line.parse(JSON.parse(text))).map((each) => [each.feature, each]))
  const connection = reported.get('connection')?.detail ?? `no report; ${ended.errors.slice(-2000)}`
  return wanted.map((feature) => {
    const { outcome, detail } = reported.get(feature) ?? { outcome: 'failed', detail: connection }
    return { ...cells, feature, outcome, detail }
  })
}
