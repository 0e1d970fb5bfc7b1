import { createPublicKey, type KeyObject } from 'node:crypto'

/** A client's public key, and the algorithm that encrypts content keys with it (RFC 7518 section 4). */
export interface EncryptionKey {
  readonly key: KeyObject
  readonly algorithm: 'RSA-OAEP-256' | 'ECDH-ES+A256KW'
}

/** The most base64 characters of a key: enough for RSA with 8192 bits. */
const longestKey = 2048

/** The least bits of an RSA key (RFC 7518 section 4.3), and the most, which limit the cost of one request. */
const rsaBits = { least: 2048, most: 8192 }

/** Strict base64. `Buffer` would skip invalid characters. */
const base64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

const expectation = 'the base64 of a SubjectPublicKeyInfo: RSA of 2048 to 8192 bits, EC P-256 or X25519'

/** Reads a public key in SPKI form (RFC 5280 section 4.1), or returns what is wrong with it. */
export function readEncryptionKey(publicKeyB64: unknown): EncryptionKey | string {
  if (typeof publicKeyB64 !== 'string') return `Expected publicKeyB64 to be ${expectation}`
  if (publicKeyB64.length > longestKey) {
    return `Expected publicKeyB64 to have at most ${longestKey} characters, got ${publicKeyB64.length}`
  }
  const key = base64.test(publicKeyB64) ? parse(Buffer.from(publicKeyB64, 'base64')) : undefined
  const algorithm = key === undefined ? undefined : algorithmOf(key)
  if (key === undefined || algorithm === undefined)
    return `Expected publicKeyB64 to be ${expectation}, got another text`
  return { key, algorithm }
}

function parse(der: Buffer): KeyObject | undefined {
  try {
    return createPublicKey({ key: der, format: 'der', type: 'spki' })
  } catch {
    return undefined
  }
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): EncryptionKey['algorithm'] | undefined {
  if (asymmetricKeyType === 'x25519') return 'ECDH-ES+A256KW'
  if (asymmetricKeyType === 'ec') {
    return asymmetricKeyDetails?.namedCurve === 'prime256v1' ? 'ECDH-ES+A256KW' : undefined
  }
  const { modulusLength: bits = 0 } = asymmetricKeyDetails ?? {}
  return asymmetricKeyType === 'rsa' && bits >= rsaBits.least && bits <= rsaBits.most ? 'RSA-OAEP-256' : undefined
}
