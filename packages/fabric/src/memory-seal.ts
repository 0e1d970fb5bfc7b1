import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Seal } from '@junctor/contracts'

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** Seals with a key of this process (AES-256-GCM, NIST SP 800-38D), so what it has sealed ends with the process. */
export class MemorySeal implements Seal {
  readonly #key = randomBytes(32)

  close(place: string, data: Uint8Array): Uint8Array {
    const nonce = randomBytes(nonceBytes)
    const sealing = createCipheriv(cipher, this.#key, nonce)
    sealing.setAAD(Buffer.from(place))
    return Buffer.concat([nonce, sealing.update(data), sealing.final(), sealing.getAuthTag()])
  }

  open(place: string, sealed: Uint8Array): Uint8Array | undefined {
    if (sealed.length < nonceBytes + tagBytes) return undefined
    const nonce = sealed.subarray(0, nonceBytes)
    const opening = createDecipheriv(cipher, this.#key, nonce, { authTagLength: tagBytes })
    opening.setAAD(Buffer.from(place))
    opening.setAuthTag(sealed.subarray(-tagBytes))
    try {
      return Buffer.concat([opening.update(sealed.subarray(nonceBytes, -tagBytes)), opening.final()])
    } catch {
      return undefined
    }
  }
}
