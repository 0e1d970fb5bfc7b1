import { randomUUID } from 'node:crypto'
import { isJsonObject, type JsonObject, type JsonValue } from '@junctor/plugin-sdk/link'
import { membersOf } from '../document/document.ts'
import type { RequestBody } from '../operations/body.ts'
import { readStyle } from '../operations/parameter.ts'
import { mediaKind } from '../operations/media-type.ts'
import { plainText } from '../document/plain-text.ts'
import { toPairs } from './serialize-value.ts'

/** A body as it is sent, or why it cannot be sent. */
export type EncodedBody =
  | { readonly kind: 'encoded'; readonly contentType: string; readonly bytes: string | Uint8Array }
  | { readonly kind: 'refused'; readonly reason: string }

/** Encodes the argument `body` in the media type of an operation. */
export function encodeBody(body: RequestBody, value: JsonValue, binaryProperties: ReadonlySet<string>): EncodedBody {
  const { mediaType, kind } = body
  switch (kind) {
    case 'json':
      return encoded(mediaType, JSON.stringify(value))
    case 'form':
      return encoded(mediaType, encodeForm(body, isJsonObject(value) ? value : {}))
    case 'multipart':
      return encodeMultipart(body, isJsonObject(value) ? value : {}, binaryProperties)
    case 'text':
      return encoded(mediaType, plainText(value))
    case 'binary':
  }
  const bytes = readBase64(plainText(value))
  return bytes === undefined ? notBase64('the argument body', value) : encoded(mediaType, bytes)
}

function encoded(contentType: string, bytes: string | Uint8Array): EncodedBody {
  return { kind: 'encoded', contentType, bytes }
}

const shownCharacters = 40

/** Refuses a text that is not base64: decoded as base64, it would become other bytes. */
function notBase64(what: string, value: JsonValue): Extract<EncodedBody, { kind: 'refused' }> {
  const text = plainText(value)
  const shown = JSON.stringify(text.slice(0, shownCharacters).toWellFormed())
  const more = text.length > shownCharacters ? '…' : ''
  return { kind: 'refused', reason: `Expected ${what} to be base64, got ${shown}${more}` }
}

/** `application/x-www-form-urlencoded`: lists are repeated, objects are JSON, unless `encoding` gives a style. */
function encodeForm({ encoding }: RequestBody, value: JsonObject): string {
  const pairs = membersOf(value).flatMap(([name, member]) => {
    const one = encoding[name]
    const hasStyle = one !== undefined && ['style', 'explode'].some((keyword) => one[keyword] !== undefined)
    if (!hasStyle && isJsonObject(member)) return [[name, JSON.stringify(member)] as const]
    return toPairs(name, member, readStyle(one ?? {}, 'query'))
  })
  return new URLSearchParams(pairs.map(([name, text]): [string, string] => [name, text])).toString()
}

/** `multipart/form-data` (RFC 7578): bytes are files, objects are JSON, lists are repeated parts. */
function encodeMultipart({ encoding }: RequestBody, value: JsonObject, binary: ReadonlySet<string>): EncodedBody {
  const boundary = `junctor-${randomUUID()}`
  const parts = Object.entries(value).flatMap(([name, member]) => {
    const given = encoding[name]?.['contentType']
    const contentType = typeof given === 'string' ? given.split(',')[0]?.trim() : undefined
    const items = (Array.isArray(member) ? member : [member]) as readonly JsonValue[]
    return items.filter((item) => item !== null).map((item) => partOf(name, item, binary.has(name), contentType))
  })
  const wrong = parts.find((part) => part.kind === 'refused')
  if (wrong !== undefined) return wrong
  const lines = parts.flatMap((part) =>
    part.kind === 'refused' ? [] : [Buffer.from(`--${boundary}\r\n${part.head}\r\n\r\n`), part.data, newLine],
  )
  const bytes = Buffer.concat([...lines, Buffer.from(`--${boundary}--\r\n`)])
  return encoded(`multipart/form-data; boundary=${boundary}`, bytes)
}

const newLine = Buffer.from('\r\n')

interface Part {
  readonly kind: 'part'
  readonly head: string
  readonly data: Uint8Array
}

function partOf(
  name: string,
  value: JsonValue,
  isBinary: boolean,
  contentType: string | undefined,
): Part | Extract<EncodedBody, { kind: 'refused' }> {
  const quoted = name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  const disposition = `content-disposition: form-data; name="${quoted}"`
  if (isBinary) {
    const head = `${disposition}; filename="${quoted}"\r\ncontent-type: ${contentType ?? 'application/octet-stream'}`
    const data = readBase64(plainText(value))
    return data === undefined ? notBase64(`body.${name}`, value) : { kind: 'part', head, data }
  }
  const isJson =
    isJsonObject(value) || Array.isArray(value) || (contentType !== undefined && mediaKind(contentType) === 'json')
  const type = contentType ?? (isJson ? 'application/json' : undefined)
  const head = type === undefined ? disposition : `${disposition}\r\ncontent-type: ${type}`
  return { kind: 'part', head, data: Buffer.from(isJson ? JSON.stringify(value) : plainText(value)) }
}

/**
 * The bytes of a text in base64, also as URLs write it, with or without padding and line breaks. `undefined`: it is not
 * base64.
 */
function readBase64(text: string): Uint8Array | undefined {
  const digits = text.replaceAll(/[\r\n]+/g, '')
  const [data = ''] = /^[\w+/-]*/.exec(digits) ?? []
  const padding = digits.slice(data.length)
  // One digit has not even the bits of a byte. Padding fills the last four.
  if (data.length % 4 === 1 || !/^={0,2}$/.test(padding)) return undefined
  if (padding !== '' && (data.length + padding.length) % 4 !== 0) return undefined
  return Buffer.from(digits, 'base64')
}
