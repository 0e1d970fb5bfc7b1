import type { Identity } from './identity.ts'

/**
 * The result of a client's post. `taken`: delivered. `opening`: the session is being opened and nothing can be taken
 * now. `unknown`: refused, for every other reason. `unreachable`: the other nodes cannot be asked.
 */
export type PostResult = 'taken' | 'opening' | 'unknown' | 'unreachable'

/** The address of a client, valid until its connection is gone. */
export interface PostAddress {
  /** The secret part of the address, sent only to this client. */
  readonly name: string
  /** Takes no more posts. */
  close(): void
}

/**
 * The endpoints that clients of HTTP+SSE (2024-11-05) post to. The answers go out on a stream that the client opened
 * before. The post may arrive at a different node than the stream.
 */
export interface MessageEndpoints {
  /**
   * Makes an address at which the caller's posts arrive.
   *
   * @param take receives the body of each post, in order of arrival
   */
  open(identity: Identity, take: (body: Uint8Array) => PostResult): PostAddress
  /** Delivers a post to its address. The address of a different caller is treated as unknown. Never rejects. */
  post(address: string, identity: Identity, body: Uint8Array): PostResult | Promise<PostResult>
}
