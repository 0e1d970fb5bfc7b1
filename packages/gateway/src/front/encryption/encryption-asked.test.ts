import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { type JsonObject, payloadOf } from '@junctor/jsonrpc'
import { describe, expect, it } from 'vitest'
import { encryptionAsked } from './encryption-asked.ts'

const spki = (key: KeyObject): string => key.export({ type: 'spki', format: 'der' }).toString('base64')
const ec = (namedCurve: string): string => spki(generateKeyPairSync('ec', { namedCurve }).publicKey)
const rsa = (modulusLength: number): string => spki(generateKeyPairSync('rsa', { modulusLength }).publicKey)

const x25519 = spki(generateKeyPairSync('x25519').publicKey)
const other = ec('P-256')

const asked = (options: JsonObject) => encryptionAsked({ options: payloadOf(options) }, ['encrypt'])

describe('encryptionAsked', () => {
  it.each<[string, JsonObject]>([
    ['options', { encrypt: true, publicKeyB64: x25519 }],
    ['options.encrypt', { encrypt: { publicKeyB64: x25519 } }],
    ['options.stream', { stream: { encrypt: true, publicKeyB64: x25519 } }],
    [
      'options.stream, before options',
      {
        encrypt: true,
        publicKeyB64: other,
        stream: { encrypt: true, publicKeyB64: x25519 },
      },
    ],
  ])('finds a key in %s', (_place, options) => {
    const found = asked(options)
    expect(found).toMatchObject({ kind: 'encrypt', algorithm: 'ECDH-ES+A256KW' })
    expect(found.kind === 'encrypt' && spki(found.key)).toBe(x25519)
  })

  it('selects the algorithm for RSA and EC P-256 keys', () => {
    expect(asked({ encrypt: true, publicKeyB64: rsa(2048) })).toMatchObject({ algorithm: 'RSA-OAEP-256' })
    expect(asked({ encrypt: true, publicKeyB64: other })).toMatchObject({ algorithm: 'ECDH-ES+A256KW' })
  })

  it.each<JsonObject>([
    { encrypt: true, publicKeyB64: x25519 },
    { encrypt: 'yes' },
    { encrypt: null },
    { encrypt: { publicKeyB64: x25519 } },
    { encrypt: false, stream: { encrypt: true, publicKeyB64: x25519 } },
  ])('refuses encryption that was not negotiated: %j', (options) => {
    for (const extensions of [[], ['progress', 'async']] as const) {
      const found = encryptionAsked({ options: payloadOf(options) }, extensions)
      expect(found).toMatchObject({ kind: 'invalid', message: expect.stringContaining('rpc.extensions') })
    }
  })

  it('finds nothing when encryption is not requested, or is switched off', () => {
    expect(encryptionAsked({ options: payloadOf({ encrypt: false }) }, [])).toEqual({ kind: 'none' })
    expect(encryptionAsked({ options: payloadOf({ stream: true }) }, [])).toEqual({ kind: 'none' })
    expect(encryptionAsked({}, ['encrypt'])).toEqual({ kind: 'none' })
    expect(asked({ publicKeyB64: x25519 })).toEqual({ kind: 'none' })
    expect(asked({ encrypt: false, stream: true })).toEqual({ kind: 'none' })
    expect(asked({ stream: { encrypt: false, publicKeyB64: x25519 } })).toEqual({ kind: 'none' })
  })

  it('refuses keys that nothing can be encrypted to, or that would hide nothing', () => {
    const { publicKey } = generateKeyPairSync('x25519')
    const x = publicKey.export({ type: 'spki', format: 'der' })
    const lowOrder = Buffer.concat([x.subarray(0, -32), Buffer.alloc(32)]).toString('base64')
    const jwk = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' })
    const even = Buffer.from(jwk.n ?? '', 'base64url')
    even[255] = 0
    const odd = (changed: object): string => spki(createPublicKey({ key: { ...jwk, ...changed }, format: 'jwk' }))
    for (const publicKeyB64 of [lowOrder, odd({ n: even.toString('base64url') }), odd({ e: 'AQ' })]) {
      expect(asked({ encrypt: true, publicKeyB64 })).toMatchObject({ kind: 'invalid' })
    }
  })

  it.each<[string, JsonObject]>([
    ['no key', { encrypt: true }],
    ['a key that is no text', { encrypt: true, publicKeyB64: 7 }],
    ['no base64', { encrypt: true, publicKeyB64: `${x25519}!` }],
    ['an empty key', { encrypt: true, publicKeyB64: '' }],
    ['no key inside the base64', { encrypt: true, publicKeyB64: 'AAAA' }],
    ['a key that is too long', { encrypt: true, publicKeyB64: 'A'.repeat(4096) }],
    ['RSA that is too short', { encrypt: true, publicKeyB64: rsa(1024) }],
    ['another curve', { encrypt: true, publicKeyB64: ec('P-384') }],
    ['a key for signatures', { encrypt: true, publicKeyB64: spki(generateKeyPairSync('ed25519').publicKey) }],
    ['encrypt that is neither', { encrypt: 'yes', publicKeyB64: x25519 }],
    ['a stream without a key', { stream: { encrypt: true }, encrypt: { publicKeyB64: x25519 } }],
  ])('reports what is wrong with %s, without repeating it', (_name, options) => {
    const found = asked(options)
    expect(found).toMatchObject({ kind: 'invalid', message: expect.stringContaining('Expected') })
    expect(found.kind === 'invalid' && found.message.length).toBeLessThan(200)
  })
})
