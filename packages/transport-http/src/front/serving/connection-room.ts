import { keptOr } from '@junctor/primitives'
import { addressKey } from '../headers/address-key.ts'

/** The part of a socket that is needed to identify its peer and to close it. */
export interface RoomSocket {
  readonly remoteAddress?: string | undefined
  readonly remotePort?: number | undefined
  once(event: 'close', listener: () => void): unknown
  destroy(): unknown
}

/** How many sockets may be open, in all and from one address. */
export interface ConnectionRoomLimits {
  /** The largest number of open sockets. */
  readonly connections: number
  /** The largest number of one address; for IPv6 of one network ({@link addressKey}). */
  readonly connectionsOfAddress: number
}

/** A connection: `silent` until its first request, `refused` when the limit is reached and none could be closed. */
interface Row {
  readonly key: string
  readonly socket: RoomSocket
  readonly address: string
  isSilent: boolean
  isRefused: boolean
}

/**
 * The connections of a server, by peer. Before a caller is authenticated, only its address is known, and many callers
 * may share one behind a load balancer. So one address may have most of the connections, and to make room the oldest
 * silent connection is closed. Connections that were served are never closed for others.
 */
export class ConnectionRoom {
  readonly #limits: ConnectionRoomLimits
  /** By address and port of the peer: the socket of TLS is another object than the socket below it. */
  readonly #rows = new Map<string, Row>()
  readonly #silent = new Map<string, Set<Row>>()
  readonly #counts = new Map<string, number>()

  constructor(limits: ConnectionRoomLimits) {
    this.#limits = limits
  }

  /** Called when a connection has opened. */
  take(socket: RoomSocket): void {
    const key = peerOf(socket)
    if (key === undefined || socket.remoteAddress === undefined) return
    const address = addressKey(socket.remoteAddress)
    const row: Row = { key, socket, address, isSilent: true, isRefused: false }
    const held = (this.#counts.get(address) ?? 0) + 1
    const { connections, connectionsOfAddress } = this.#limits
    if (held > connectionsOfAddress) row.isRefused = !this.#makeRoom(this.#silent.get(address))
    else if (this.#rows.size >= connections) row.isRefused = !this.#makeRoom(this.#mostSilent())
    this.#rows.set(key, row)
    this.#counts.set(address, (this.#counts.get(address) ?? 0) + 1)
    keptOr(this.#silent, address, () => new Set()).add(row)
    socket.once('close', () => this.#remove(row))
  }

  /** Called with the first request on a connection: it no longer counts as silent. Returns whether there is room for it. */
  markActive(socket: RoomSocket): boolean {
    const row = this.#rows.get(peerOf(socket) ?? '')
    if (row === undefined) return true
    if (row.isSilent) this.#hush(row)
    return !row.isRefused
  }

  #mostSilent(): Set<Row> | undefined {
    let most: Set<Row> | undefined
    for (const rows of this.#silent.values()) if (rows.size > (most?.size ?? 0)) most = rows
    return most
  }

  #makeRoom(silent: Set<Row> | undefined): boolean {
    const [oldest] = silent ?? []
    if (oldest === undefined) return false
    this.#remove(oldest)
    oldest.socket.destroy()
    return true
  }

  /** Marks the connection as not silent. */
  #hush(row: Row): void {
    row.isSilent = false
    const silent = this.#silent.get(row.address)
    silent?.delete(row)
    if (silent?.size === 0) this.#silent.delete(row.address)
  }

  #remove(row: Row): void {
    if (this.#rows.get(row.key) !== row) return
    this.#rows.delete(row.key)
    this.#hush(row)
    const held = (this.#counts.get(row.address) ?? 1) - 1
    if (held === 0) this.#counts.delete(row.address)
    else this.#counts.set(row.address, held)
  }
}

/** The address and the port of a socket's peer. `undefined`: it is closed. */
export function peerOf({
  remoteAddress,
  remotePort,
}: Pick<RoomSocket, 'remoteAddress' | 'remotePort'>): string | undefined {
  return remoteAddress === undefined ? undefined : `${remoteAddress} ${remotePort}`
}
