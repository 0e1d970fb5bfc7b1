import { readFileSync } from 'node:fs'
import { isJsonObject, type JsonObject, parseJson } from '@junctor/jsonrpc'

/** What a file that Junctor keeps beside a configuration holds, or why it cannot be used. */
export type ReadKeptFile =
  /** `text`: the content of the file. `undefined`: there is no file, and it holds nothing. */
  | { readonly kind: 'read'; readonly value: JsonObject; readonly text: string | undefined }
  /** `why` goes on after the name of the file. */
  | { readonly kind: 'unusable'; readonly why: string }

/** The path of such a file: with the ending `pins.json`, `junctor.pins.json` beside `junctor.yaml`. */
export function keptFileOf(config: string, ending: string): string {
  return `${config.replace(/\.[^./\\]*$/, '')}.${ending}`
}

/** Reads such a file: a JSON object. */
export function readKeptFile(file: string): ReadKeptFile {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    return code === 'ENOENT'
      ? { kind: 'read', value: {}, text: undefined }
      : { kind: 'unusable', why: `cannot be read (${code})` }
  }
  const value = parseJson(text)
  return isJsonObject(value) ? { kind: 'read', value, text } : { kind: 'unusable', why: 'is not a JSON object' }
}
