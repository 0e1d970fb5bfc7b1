import { createPublicKey, diffieHellman, generateKeyPairSync, type KeyObject, publicEncrypt } from 'node:crypto'

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

function algorithmOf(key: KeyObject): EncryptionKey['algorithm'] | undefined {
  const { asymmetricKeyType, asymmetricKeyDetails } = key
  if (asymmetricKeyType === 'x25519') return works(agreeWith, key) ? 'ECDH-ES+A256KW' : undefined
  if (asymmetricKeyType === 'ec') {
    return asymmetricKeyDetails?.namedCurve === 'prime256v1' ? 'ECDH-ES+A256KW' : undefined
  }
  const { modulusLength: bits = 0, publicExponent = 1n } = asymmetricKeyDetails ?? {}
  // What is encrypted with the exponent 1 is readable without a key.
  const isStrong = bits >= rsaBits.least && bits <= rsaBits.most && publicExponent > 1n
  return asymmetricKeyType === 'rsa' && isStrong && works(encryptWith, key) ? 'RSA-OAEP-256' : undefined
}

/** Whether a key can be used: a point of low order and an even modulus are found only by trying. */
function works(trial: (key: KeyObject) => void, key: KeyObject): boolean {
  try {
    trial(key)
    return true
  } catch {
    return false
  }
}

function agreeWith(publicKey: KeyObject): void {
  diffieHellman({ privateKey: generateKeyPairSync('x25519').privateKey, publicKey })
}

function encryptWith(key: KeyObject): void {
  publicEncrypt({ key, oaepHash: 'sha256' }, Buffer.alloc(32))
}
