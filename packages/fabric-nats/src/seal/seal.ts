import { timingSafeEqual } from 'node:crypto'
import { type ClusterKey, keyIdBytes } from './cluster-key.ts'
import { Hmac, hmacBytes } from './hmac.ts'
import { ReplayGuard } from './replay-guard.ts'

/** Characters of a sender's name. */
const senderBytes = 8

/** The size in bytes of a message's number among those of its sender. */
const countBytes = 6

/** Where the proven bytes begin, and where the body begins. */
const provenAt = keyIdBytes + hmacBytes
const bodyAt = provenAt + senderBytes + countBytes

/** Bytes that a seal adds to a message: the key's id, the proof, the sender and the number. */
export const sealBytes: number = bodyAt

/** Why a message is dropped: no key of the cluster has sealed it, or it was received before. */
export type DropReason = 'foreign' | 'repeated'

/**
 * The proof that a message comes from a node of the cluster, for the first time: HMAC-SHA-256 over the subject, the
 * reply subject, the sender, the sender's number for the message, and the body. A message that was copied to another
 * subject, has another reply subject, or was received before is invalid.
 */
export class Seal {
  readonly #hmacs: readonly { readonly id: number; readonly hmac: Hmac }[]
  readonly #sender: string
  readonly #seen = new ReplayGuard()
  #count = 0

  /**
   * @param keys the first seals, all of them open
   * @param sender 8 characters that no other sender ever used
   */
  constructor(keys: readonly ClusterKey[], sender: string) {
    this.#hmacs = keys.map(({ id, messages }) => ({ id, hmac: new Hmac(messages) }))
    this.#sender = sender
  }

  close(subject: string, reply: string, body: Uint8Array): Uint8Array {
    const [{ id, hmac }] = this.#hmacs as [{ readonly id: number; readonly hmac: Hmac }]
    // From the pool: a separate allocation for each message costs as much as its proof.
    const message = Buffer.allocUnsafe(bodyAt + body.length)
    message.writeUInt32BE(id, 0)
    message.write(this.#sender, provenAt, senderBytes, 'latin1')
    this.#count += 1
    message.writeUIntBE(this.#count, provenAt + senderBytes, countBytes)
    message.set(body, bodyAt)
    message.set(proof(hmac, subject, reply, message), keyIdBytes)
    return message
  }

  /** The highest number of the messages that were opened from a sender; 0 when there are none. */
  highest(sender: string): number {
    return this.#seen.highest(sender)
  }

  /** Returns the body, once. */
  open(subject: string, reply: string, message: Uint8Array): Uint8Array | DropReason {
    if (message.length < bodyAt) return 'foreign'
    const bytes = Buffer.from(message.buffer, message.byteOffset, message.length)
    const id = bytes.readUInt32BE(0)
    const key = this.#hmacs.find((known) => known.id === id)
    if (key === undefined) return 'foreign'
    if (!timingSafeEqual(bytes.subarray(keyIdBytes, provenAt), proof(key.hmac, subject, reply, bytes))) return 'foreign'
    const sender = bytes.toString('latin1', provenAt, provenAt + senderBytes)
    const count = bytes.readUIntBE(provenAt + senderBytes, countBytes)
    return this.#seen.isNew(sender, count) ? bytes.subarray(bodyAt) : 'repeated'
  }
}

function proof(hmac: Hmac, subject: string, reply: string, message: Uint8Array): Uint8Array {
  // Subjects contain no spaces, so that different inputs give different texts.
  return hmac.of(`${subject} ${reply} `, message.subarray(provenAt))
}
