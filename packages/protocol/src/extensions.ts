/**
 * The extensions of JSON-RPC 3.0 that Junctor knows. A peer may use those that both sides named in `rpc.extensions`; one
 * that was not negotiated is ignored, but `encrypt`, which is refused.
 *
 * - `async`: an ack may name a job to collect elsewhere
 * - `progress`: acks are repeated with `{progress, total}`
 * - `abort`: `{"options":{"stream":id,"abort":true}}` ends a stream
 * - `pubsub`: a stream may go on under another id, on a publish and subscribe server
 * - `encrypt`: results and chunks are encrypted to a key that the request brings
 */
export const extensions = ['async', 'progress', 'abort', 'pubsub', 'encrypt'] as const

/** The name of one extension of JSON-RPC 3.0. */
export type Extension = (typeof extensions)[number]

/** What two peers have agreed on. */
export type Extensions = readonly Extension[]

/** What is agreed on before, or without, a negotiation. */
export const noExtensions: Extensions = []

/** The known extensions among what a peer named, whatever it sent. */
export function knownExtensions(names: unknown): Extensions {
  if (!Array.isArray(names) || names.length === 0) return noExtensions
  return extensions.filter((name) => names.includes(name))
}
