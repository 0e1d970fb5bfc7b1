/**
 * The extensions of JSON-RPC 3.0 that Junctor supports. A peer may use those that both sides named in `rpc.extensions`.
 * An extension that was not negotiated is ignored, except `encrypt`, which is refused.
 *
 * - `async`: an ack may name a job to collect elsewhere
 * - `progress`: acks are repeated with `{progress, total}`
 * - `abort`: `{"options":{"stream":id,"abort":true}}` ends a stream
 * - `pubsub`: a stream may continue under a different id, on a publish and subscribe server
 * - `encrypt`: results and chunks are encrypted to a key that the request contains
 */
const extensions = ['async', 'progress', 'abort', 'pubsub', 'encrypt'] as const

/** The name of one extension of JSON-RPC 3.0. */
export type Extension = (typeof extensions)[number]

/** The extensions that two peers have agreed on. */
export type Extensions = readonly Extension[]

/** The extensions before a negotiation, or without one. */
export const noExtensions: Extensions = []

/** Returns the supported extensions among the names that a peer sent; `names` may be any value. */
export function knownExtensions(names: unknown): Extensions {
  if (!Array.isArray(names) || names.length === 0) return noExtensions
  return extensions.filter((name) => names.includes(name))
}
