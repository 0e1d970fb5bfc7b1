import { parseJson } from '@junctor/jsonrpc'
import type { Seal } from '@junctor/contracts'

/** Data that only nodes of the cluster can read, bound to a place. */
export function sealJson(seal: Seal, place: string, value: unknown): string {
  return Buffer.from(seal.close(place, Buffer.from(JSON.stringify(value)))).toString('base64url')
}

/** Reads what {@link sealJson} has sealed. Undefined: it is not that, or it is of another place. */
export function openJson(seal: Seal, place: string, text: string): unknown {
  const opened = seal.open(place, Buffer.from(text, 'base64url'))
  return opened && parseJson(Buffer.from(opened).toString('utf8'))
}
