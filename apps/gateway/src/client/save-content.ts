import { existsSync, writeFileSync } from 'node:fs'
import { parse, format } from 'node:path'
import { isJsonObject, type JsonValue } from '@junctor/jsonrpc'
import type { Failure } from '@junctor/command'
import { whyUnwritable } from '../report/why-unwritable.ts'

/** The bytes in a result: an image, audio, or the blob of a resource. */
interface Binary {
  /** Its MIME type, such as `image/png`; else the type of the block. */
  readonly type: string
  readonly bytes: Buffer
}

/** A file that was written. */
interface SavedFile {
  readonly file: string
  readonly type: string
  /** Bytes. */
  readonly size: number
}

/** What was written to files, and what was not. */
export interface Saved {
  readonly files: readonly SavedFile[]
  /** Why not all files were written. */
  readonly failure?: Failure
}

/** Why nothing could be saved in a file, checked before a tool is called. `undefined`: the file can be written. */
export function cannotSave(file: string): Failure | undefined {
  return whyUnwritable(file, '--save') ?? (existsSync(file) ? isThere(file) : undefined)
}

/**
 * Writes the images, audio and blobs of a result: the first into the file, the others into `x-2.png`, `x-3.png` beside
 * it. Overwrites no file.
 */
export function saveContent(content: unknown, file: string): Saved {
  const binaries = (Array.isArray(content) ? content : []).flatMap((block) => binaryOf(block as JsonValue) ?? [])
  if (binaries.length === 0) {
    const next = 'Text is printed: write it to a file with > FILE.'
    return { files: [], failure: { message: 'the result has no image, audio or blob: nothing was saved', next } }
  }
  const files: SavedFile[] = []
  for (const [index, { type, bytes }] of binaries.entries()) {
    const name = index === 0 ? file : numbered(file, index + 1)
    try {
      writeFileSync(name, bytes, { flag: 'wx' })
    } catch (error) {
      return { files, failure: notWritten(name, error as NodeJS.ErrnoException) }
    }
    files.push({ file: name, type, size: bytes.length })
  }
  return { files }
}

function binaryOf(block: JsonValue): Binary | undefined {
  if (!isJsonObject(block)) return undefined
  const { type, resource } = block
  const holder = type === 'resource' && isJsonObject(resource) ? resource : block
  const data = type === 'resource' ? holder['blob'] : holder['data']
  if (typeof data !== 'string') return undefined
  const named = holder['mimeType'] ?? type
  return { type: typeof named === 'string' ? named : 'bytes', bytes: Buffer.from(data, 'base64') }
}

function numbered(file: string, number: number): string {
  const { dir, name, ext } = parse(file)
  return format({ dir, name: `${name}-${number}`, ext })
}

function notWritten(file: string, { code, message }: NodeJS.ErrnoException): Failure {
  if (code === 'EEXIST') return isThere(file)
  return { message: `${file} could not be written: ${message}`, next: 'Name another file with --save.' }
}

function isThere(file: string): Failure {
  return {
    message: `${file} is there already, and is not overwritten`,
    next: 'Remove it, or name another file with --save.',
  }
}
