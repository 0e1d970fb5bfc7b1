import { type Era, revisions } from './eras.ts'
import { features } from './features.ts'
import type { Outcome, ServerCell } from './outcome.ts'
import type { Lack, Peer } from './peer.ts'

const head = `# SDKs of other languages

The official SDKs of other languages, as clients of Junctor and as servers behind it: each client with each server, in both
eras of the protocol, through a gateway that also has another backend. \`pnpm interop --write\` makes this page from what it
finds; the programs are in [tools/interop](../tools/interop).
`

/** Prints the page with the results. Links start at the folder of the page, `docs/`. */
export function printPage(peers: readonly Peer[], outcomes: readonly Outcome[]): string {
  const failed = outcomes.filter(({ outcome }) => outcome === 'failed')
  const tried = features.map((feature) => `\`${feature}\``).join(', ')
  const parts = [
    head,
    table(['Language', 'SDK', 'Revisions'], peers.map(sdkRow)),
    `Each number is of checks that passed, over standard input and output and over HTTP to the server: ${tried}. Clients use HTTP.\n`,
    table(['Client', ...serverCells(peers).map(nameOf)], clientRows(peers, outcomes)),
    `${outcomes.length - failed.length} passed, ${failed.length} failed.\n`,
    `## What SDKs do not have\n`,
    peers.flatMap(({ language, lacks }) => lacks.map((lack) => lackLine(language, lack))).join('\n') + '\n',
    ...(failed.length === 0 ? [] : ['## What failed\n', failed.map(failureLine).join('\n') + '\n']),
  ]
  return parts.join('\n')
}

interface Column {
  readonly peer: Peer
  readonly era: Era
}

function serverCells(peers: readonly Peer[]): readonly Column[] {
  return peers.flatMap((peer) => peer.eras.map((era) => ({ peer, era })))
}

function nameOf({ peer, era }: Column): string {
  return `${peer.language}, ${revisions[era]}`
}

function sdkRow(peer: Peer): readonly string[] {
  const eras = peer.eras.map((era) => revisions[era]).join(', ')
  return [peer.language, `\`${peer.sdk}\``, eras]
}

function clientRows(peers: readonly Peer[], outcomes: readonly Outcome[]): readonly (readonly string[])[] {
  return serverCells(peers).map((client) => [
    nameOf(client),
    ...serverCells(peers).map((server) =>
      count(outcomes.filter((each) => isOf(each.client, client) && isOf(each.server, server))),
    ),
  ])
}

function isOf(cell: Pick<ServerCell, 'peer' | 'era'>, column: Column): boolean {
  return cell.peer === column.peer.name && cell.era === column.era
}

function count(outcomes: readonly Outcome[]): string {
  const passed = outcomes.filter(({ outcome }) => outcome === 'passed').length
  return passed === outcomes.length ? String(passed) : `${passed} of ${outcomes.length}`
}

function lackLine(language: string, { side, feature, era, transport, reason }: Lack): string {
  const where = [...(era === undefined ? [] : [revisions[era]]), ...(transport === undefined ? [] : [transport])]
  return `- ${[`${language}, ${side}`, ...where].join(', ')}: \`${feature}\`: ${reason}.`
}

function failureLine({ client, server, feature, detail }: Outcome): string {
  const from = `${client.peer} ${revisions[client.era]}`
  return `- ${from} to ${server.peer} ${revisions[server.era]} over ${server.transport}: \`${feature}\`: ${detail}`
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('')
}
