import { isJsonObject, type Request } from '@junctor/jsonrpc'
import type { Extensions } from '@junctor/protocol'
import { type EncryptionKey, readEncryptionKey } from './encryption-key.ts'

/** Whether a request wants its answer encrypted, to which key, or what is wrong with how it says so. */
export type EncryptionAsked =
  | { readonly kind: 'none' }
  | ({ readonly kind: 'encrypt' } & EncryptionKey)
  | { readonly kind: 'invalid'; readonly message: string }

const none: EncryptionAsked = { kind: 'none' }

/**
 * Reads the extension `encrypt` of JSON-RPC 3.0 from the options of a request (section 4.3):
 * `{"encrypt":true,"publicKeyB64":...}`, `{"encrypt":{"publicKeyB64":...}}` or
 * `{"stream":{"encrypt":true,"publicKeyB64":...}}`. Of two keys that of the stream counts. Without negotiation: none.
 */
export function encryptionAsked({ options }: Pick<Request, 'options'>, extensions: Extensions): EncryptionAsked {
  if (options === undefined || !extensions.includes('encrypt')) return none
  const value = options.value()
  if (!isJsonObject(value)) return none
  const { stream } = value
  if (isJsonObject(stream) && stream['encrypt'] !== undefined) {
    const asked = read(stream, 'options.stream')
    if (asked.kind !== 'none') return asked
  }
  return read(value, 'options')
}

function read(place: Readonly<Record<string, unknown>>, name: string): EncryptionAsked {
  const { encrypt, publicKeyB64 } = place
  if (encrypt === undefined || encrypt === false) return none
  if (encrypt !== true && !isJsonObject(encrypt)) {
    return { kind: 'invalid', message: `Expected ${name}.encrypt to be true or an object` }
  }
  const key = readEncryptionKey(encrypt === true ? publicKeyB64 : (encrypt['publicKeyB64'] ?? publicKeyB64))
  return typeof key === 'string' ? { kind: 'invalid', message: `${name}: ${key}` } : { kind: 'encrypt', ...key }
}
