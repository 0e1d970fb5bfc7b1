import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type ClusterKey, keyIdBytes } from './cluster-key.ts'

const cipher = 'aes-256-gcm'

/** The layout of what is stored; another one, of a version to come, does not open. */
const layout = 1

/** Of the salt that each process chooses for the key that it stores with. */
const saltBytes = 16

/** Of the number of what is stored among all that its process stored. */
const countBytes = 6

const nonceBytes = 12
const tagBytes = 16

const saltAt = 1 + keyIdBytes
const countAt = saltAt + saltBytes
const textAt = countAt + countBytes

/** Bytes that sealing adds. */
export const storedSealBytes: number = textAt + tagBytes

/** Keys of processes that are remembered: to make one again takes longer than to open what was sealed with it. */
const mostKeys = 1_024

/**
 * What is stored, so that only nodes of the cluster can read it, and make it: AES-256-GCM (NIST SP 800-38D), bound to the
 * place where it is. Each process has a key of its own, made of the cluster's and a random salt, and counts: so no nonce
 * comes twice under a key, however many nodes store however much.
 */
export class StoredSeal {
  readonly #keys: readonly ClusterKey[]
  readonly #head: Buffer
  readonly #own: KeyObject
  readonly #known = new LRUCache<string, KeyObject>({ max: mostKeys })
  #count = 0

  /** @param keys the first seals, all of them open */
  constructor(keys: readonly ClusterKey[]) {
    const [first] = keys as [ClusterKey]
    const salt = randomBytes(saltBytes)
    this.#keys = keys
    this.#own = first.stored(salt)
    this.#head = Buffer.alloc(textAt)
    this.#head.writeUInt8(layout)
    this.#head.writeUInt32BE(first.id, 1)
    this.#head.set(salt, saltAt)
  }

  /** @param place where it will be found, and all else that it is bound to */
  close(place: string, data: Uint8Array): Uint8Array {
    this.#count += 1
    this.#head.writeUIntBE(this.#count, countAt, countBytes)
    const sealing = createCipheriv(cipher, this.#own, nonceOf(this.#head))
    sealing.setAAD(Buffer.from(place))
    const text = sealing.update(data)
    sealing.final()
    return Buffer.concat([this.#head, text, sealing.getAuthTag()])
  }

  /** Undefined: no node of the cluster has stored it, or not at this place. */
  open(place: string, sealed: Uint8Array): Uint8Array | undefined {
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.length)
    if (bytes.length < storedSealBytes || bytes[0] !== layout) return undefined
    const key = this.#keyOf(bytes)
    if (key === undefined) return undefined
    const opening = createDecipheriv(cipher, key, nonceOf(bytes), { authTagLength: tagBytes })
    opening.setAAD(Buffer.from(place))
    opening.setAuthTag(bytes.subarray(-tagBytes))
    const data = opening.update(bytes.subarray(textAt, -tagBytes))
    try {
      opening.final()
      return data
    } catch {
      return undefined
    }
  }

  #keyOf(sealed: Buffer): KeyObject | undefined {
    const id = sealed.readUInt32BE(1)
    const cluster = this.#keys.find((known) => known.id === id)
    if (cluster === undefined) return undefined
    const name = sealed.toString('latin1', 1, countAt)
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const key = cluster.stored(sealed.subarray(saltAt, countAt))
    this.#known.set(name, key)
    return key
  }
}

/** The number, at the end of twelve bytes. */
function nonceOf(sealed: Buffer): Uint8Array {
  const nonce = Buffer.alloc(nonceBytes)
  sealed.copy(nonce, nonceBytes - countBytes, countAt, textAt)
  return nonce
}
