import type { Peer } from './peer.ts'
import { runCommand } from './run-command.ts'

/** `lacking`: a program that this machine does not have. `broken`: the build failed. */
export type Prepared =
  | { readonly kind: 'ready' }
  | { readonly kind: 'lacking'; readonly program: string }
  | { readonly kind: 'broken'; readonly detail: string }

// The first build fetches the dependencies.
const buildMilliseconds = 900_000

/** Builds the programs of a peer. `folder` is the peer's own. */
export async function preparePeer(peer: Peer, folder: string): Promise<Prepared> {
  const tried = await runCommand(peer.needs, folder, 30_000)
  if (tried.kind === 'missing' || tried.code !== 0) return { kind: 'lacking', program: peer.needs.join(' ') }
  for (const command of peer.build) {
    const built = await runCommand(command, folder, buildMilliseconds)
    if (built.kind === 'missing') return { kind: 'lacking', program: command[0] }
    if (built.code !== 0) return { kind: 'broken', detail: `${command.join(' ')}\n${built.errors}${built.output}` }
  }
  return { kind: 'ready' }
}
