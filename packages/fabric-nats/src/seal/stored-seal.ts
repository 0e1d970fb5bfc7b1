import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'
import type { Seal } from '@junctor/contracts'
import { LRUCache } from 'lru-cache'
import { keptOr } from '@junctor/primitives'
import { type ClusterKey, keyIdBytes } from './cluster-key.ts'

const cipher = 'aes-256-gcm'

/** The version of the layout; data with another one, of a later version, do not open. */
const layout = 1

/** The size of the salt that each process chooses for its storage key. */
const saltBytes = 16

/** The size of the sequential number of a value among those that its process stored. */
const countBytes = 6

const nonceBytes = 12
const tagBytes = 16

const saltAt = 1 + keyIdBytes
const countAt = saltAt + saltBytes
const textAt = countAt + countBytes

/** How many bytes sealing adds. */
export const storedSealBytes: number = textAt + tagBytes

/** How many keys of processes are cached: deriving one takes longer than opening a value with it. */
const mostKeys = 1_024

/**
 * Seals stored data, so that only nodes of the cluster can read and make them: AES-256-GCM (NIST SP 800-38D), bound to
 * their place. Each process has its own key, derived from the cluster's key and a random salt, and counts its values:
 * so no nonce is used twice under a key, for any number of nodes and values.
 */
export class StoredSeal implements Seal {
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

  /** @param place where the data will be stored, and everything else that they are bound to */
  close(place: string, data: Uint8Array): Uint8Array {
    this.#count += 1
    this.#head.writeUIntBE(this.#count, countAt, countBytes)
    const sealing = createCipheriv(cipher, this.#own, nonceOf(this.#head))
    sealing.setAAD(Buffer.from(place))
    const text = sealing.update(data)
    sealing.final()
    return Buffer.concat([this.#head, text, sealing.getAuthTag()])
  }

  /** Undefined when no node of the cluster has stored the data, or not at this place. */
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
    return keptOr(this.#known, name, () => cluster.stored(sealed.subarray(saltAt, countAt)))
  }
}

/** The nonce: twelve bytes with the number at the end. */
function nonceOf(sealed: Buffer): Uint8Array {
  const nonce = Buffer.alloc(nonceBytes)
  sealed.copy(nonce, nonceBytes - countBytes, countAt, textAt)
  return nonce
}
