import { NumberingPeer } from './numbering-peer.ts'
import type { Peer, PeerOptions } from './peer.ts'

/** Creates one end of a connection. Its ids count from 1. */
export function createPeer(options: PeerOptions): Peer {
  return new NumberingPeer(options)
}
