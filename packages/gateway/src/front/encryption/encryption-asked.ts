import { isJsonObject, type Request } from '@junctor/jsonrpc'
import type { Extensions } from '@junctor/protocol'
import { type EncryptionKey, readEncryptionKey } from './encryption-key.ts'

/** Whether a request asks for an encrypted answer, with which key, or what is wrong with its options. */
export type EncryptionAsked =
  | { readonly kind: 'none' }
  | ({ readonly kind: 'encrypt' } & EncryptionKey)
  | { readonly kind: 'invalid'; readonly message: string }

const none: EncryptionAsked = { kind: 'none' }

/**
 * Reads the extension `encrypt` of JSON-RPC 3.0 from the options of a request (section 4.3):
 * `{"encrypt":true,"publicKeyB64":...}`, `{"encrypt":{"publicKeyB64":...}}` or
 * `{"stream":{"encrypt":true,"publicKeyB64":...}}`. Of two keys, the one of the stream is used. Without negotiation the
 * request is invalid; other extensions would be ignored, but here the client would treat a readable answer as
 * protected.
 */
export function encryptionAsked({ options }: Pick<Request, 'options'>, extensions: Extensions): EncryptionAsked {
  if (options === undefined) return none
  const value = options.value()
  if (!isJsonObject(value)) return none
  const { stream } = value
  const place = isJsonObject(stream) && isAsked(stream) ? stream : value
  if (!isAsked(place)) return none
  return extensions.includes('encrypt') ? read(place, place === value ? 'options' : 'options.stream') : notAgreed
}

const notAgreed: EncryptionAsked = {
  kind: 'invalid',
  message: 'Expected no "encrypt" in options before it is negotiated with rpc.extensions',
}

function isAsked({ encrypt }: Readonly<Record<string, unknown>>): boolean {
  return encrypt !== undefined && encrypt !== false
}

function read(place: Readonly<Record<string, unknown>>, name: string): EncryptionAsked {
  const { encrypt, publicKeyB64 } = place
  if (encrypt !== true && !isJsonObject(encrypt)) {
    return { kind: 'invalid', message: `Expected ${name}.encrypt to be true or an object` }
  }
  const key = readEncryptionKey(encrypt === true ? publicKeyB64 : (encrypt['publicKeyB64'] ?? publicKeyB64))
  return typeof key === 'string' ? { kind: 'invalid', message: `${name}: ${key}` } : { kind: 'encrypt', ...key }
}
