import { hash } from 'node:crypto'
import { canonicalText, isJsonObject, type JsonObject } from '@junctor/jsonrpc'

/** The document of a server, as it was when its backend was added. */
export interface ServerPin {
  readonly name: string
  readonly version: string
  /** The URL of the registry, or the path of the file. */
  readonly source: string
  /** Of the document with sorted keys. Hexadecimal. */
  readonly sha256: string
  readonly document: JsonObject
}

/** The SHA-256 of a document, independent of the order of its keys. */
export function documentHash(document: JsonObject): string {
  return hash('sha256', canonicalText(document), 'hex')
}

/**
 * The backend that has another document of the same version of the same server. Versions in a registry never change, so
 * one of the two is not what its publisher wrote.
 */
export function backendWithOtherDocument(pins: JsonObject, pin: ServerPin): string | undefined {
  const found = Object.entries(pins).find(([, other]) => {
    if (!isJsonObject(other)) return false
    return other['name'] === pin.name && other['version'] === pin.version && other['sha256'] !== pin.sha256
  })
  return found?.[0]
}
