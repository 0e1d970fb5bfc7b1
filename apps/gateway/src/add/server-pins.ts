import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { canonicalText, isJsonObject, type JsonObject, parseJson } from '@junctor/jsonrpc'

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

/** The pins of the file, or why they cannot be read. */
export type ReadPins =
  /** The pins by the names of their backends. */
  | { readonly kind: 'pins'; readonly pins: JsonObject; readonly text: string | undefined }
  | { readonly kind: 'unreadable'; readonly why: string }

/** The file with the pins of a configuration: `junctor.servers.json` beside `junctor.yaml`. */
export function pinsFileOf(config: string): string {
  return `${config.replace(/\.[^./\\]*$/, '')}.servers.json`
}

/** Reads the file with the pins. A file that is not there has none. */
export function readPins(file: string): ReadPins {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    return code === 'ENOENT'
      ? { kind: 'pins', pins: {}, text: undefined }
      : { kind: 'unreadable', why: `it cannot be read (${code})` }
  }
  const pins = parseJson(text)
  if (pins === undefined) return { kind: 'unreadable', why: 'it is not JSON' }
  return isJsonObject(pins) ? { kind: 'pins', pins, text } : { kind: 'unreadable', why: 'it is not a JSON object' }
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
