import { timingSafeEqual } from 'node:crypto'
import { Hmac, hmacBytes } from './hmac.ts'

/** Bytes that a seal adds to a message. */
export const sealBytes: number = hmacBytes

/**
 * The proof that a message comes from a node of the cluster: HMAC-SHA-256 under the cluster's key, over the subject, the
 * subject of the reply and the body. A message that is copied to another subject, or whose answers are to go elsewhere,
 * does not hold.
 */
export class Seal {
  readonly #hmac: Hmac

  /** @param key a secret that all nodes of a cluster share, and nobody else knows */
  constructor(key: string) {
    this.#hmac = new Hmac(key)
  }

  close(subject: string, reply: string, body: Uint8Array): Uint8Array {
    // From the pool: memory of its own for each message costs as much as its proof.
    const message = Buffer.allocUnsafe(sealBytes + body.length)
    message.set(this.#proof(subject, reply, body))
    message.set(body, sealBytes)
    return message
  }

  /** The body; undefined: the message is not of this cluster, or not for this subject. */
  open(subject: string, reply: string, message: Uint8Array): Uint8Array | undefined {
    if (message.length < sealBytes) return undefined
    const body = message.subarray(sealBytes)
    return timingSafeEqual(message.subarray(0, sealBytes), this.#proof(subject, reply, body)) ? body : undefined
  }

  #proof(subject: string, reply: string, body: Uint8Array): Uint8Array {
    // Subjects have no blanks, so no two triples are one text.
    return this.#hmac.of(`${subject} ${reply} `, body)
  }
}
