import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Outcome, ServerCell } from './outcome.ts'
import type { Peer } from './peer.ts'
import { preparePeer } from './prepare-peer.ts'
import { printPage } from './print-page.ts'
import { runInterop } from './run-interop.ts'

/** Exit codes of the command. */
export const exitCodes = { passed: 0, failed: 1, unusable: 2 } as const

/**
 * Builds the peers, runs each client against each server, prints a line for each server, and writes the page if `page`
 * names a file. Returns the exit code.
 */
export async function runCommandFor(peers: readonly Peer[], page: string | undefined): Promise<number> {
  if (!(await prepare(peers))) return exitCodes.unusable
  const outcomes = await runInterop(peers, folderOf, report)
  const failed = outcomes.filter(({ outcome }) => outcome === 'failed').length
  console.log(`\n${outcomes.length - failed} passed, ${failed} failed`)
  if (page !== undefined) await writeFile(page, printPage(peers, outcomes))
  return failed > 0 ? exitCodes.failed : exitCodes.passed
}

function folderOf(peer: Peer): string {
  return join(import.meta.dirname, '../peers', peer.name)
}

function report(server: ServerCell, outcomes: readonly Outcome[]): void {
  const failed = outcomes.filter(({ outcome }) => outcome === 'failed')
  const name = `${server.peer}, ${server.era}, ${server.transport}`
  console.log(`${name.padEnd(32)}${outcomes.length - failed.length} passed, ${failed.length} failed`)
  for (const { client, feature, detail } of failed) {
    console.log(`  ${client.peer} ${client.era}: ${feature}: ${detail}`)
  }
}

/** Whether all of them could be built. */
async function prepare(peers: readonly Peer[]): Promise<boolean> {
  let isReady = true
  for (const peer of peers) {
    console.error(`Building ${peer.language} (${peer.sdk})`)
    const prepared = await preparePeer(peer, folderOf(peer))
    if (prepared.kind === 'ready') continue
    isReady = false
    if (prepared.kind === 'broken') console.error(prepared.detail)
    else console.error(`This machine lacks "${prepared.program}". Install it, or leave ${peer.name} out with --only.`)
  }
  return isReady
}
