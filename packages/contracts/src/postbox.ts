import type { Identity } from './identity.ts'

/**
 * What became of what a client posted: `unknown` whatever the reason, `opening` when nothing can be taken just now,
 * `unreachable` when other nodes cannot be asked.
 */
export type Posted = 'taken' | 'opening' | 'unknown' | 'unreachable'

/** A client's address, from the moment that it is told until its connection is gone. */
export interface PostAddress {
  /** What only this client is told. */
  readonly name: string
  close(): void
}

/**
 * Where clients post to whose answers go out on a stream that they opened before (HTTP+SSE of 2024-11-05): the post may
 * come to another node than the stream.
 */
export interface Postbox {
  /** @param take gets the body of each post, in the order of their coming */
  open(identity: Identity, take: (body: Uint8Array) => Posted): PostAddress
  /** Another caller's address is as unknown as one that never was. Never rejects. */
  post(address: string, identity: Identity, body: Uint8Array): Posted | Promise<Posted>
}
