import { randomUUID } from 'node:crypto'
import { isJsonObject, type JsonObject, type JsonValue } from '@junctor/plugin-sdk/link'
import { membersOf } from '../document/document.ts'
import type { RequestBody } from '../operations/body.ts'
import { readStyle } from '../operations/parameter.ts'
import { mediaKind } from '../operations/media-type.ts'
import { plainText } from '../document/plain-text.ts'
import { toPairs } from './serialize-value.ts'

/** A body as it is sent. */
export interface EncodedBody {
  readonly contentType: string
  readonly bytes: string | Uint8Array
}

/** Encodes the argument `body` in the media type of an operation. */
export function encodeBody(body: RequestBody, value: JsonValue, binaryProperties: ReadonlySet<string>): EncodedBody {
  const { mediaType, kind } = body
  switch (kind) {
    case 'json':
      return { contentType: mediaType, bytes: JSON.stringify(value) }
    case 'form':
      return { contentType: mediaType, bytes: encodeForm(body, isJsonObject(value) ? value : {}) }
    case 'multipart':
      return encodeMultipart(body, isJsonObject(value) ? value : {}, binaryProperties)
    case 'text':
      return { contentType: mediaType, bytes: plainText(value) }
    case 'binary':
  }
  return { contentType: mediaType, bytes: Buffer.from(plainText(value), 'base64') }
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
  const lines = parts.flatMap(({ head, data }) => [Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`), data, newLine])
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([...lines, Buffer.from(`--${boundary}--\r\n`)]),
  }
}

const newLine = Buffer.from('\r\n')

function partOf(name: string, value: JsonValue, isBinary: boolean, contentType: string | undefined) {
  const quoted = name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  const disposition = `content-disposition: form-data; name="${quoted}"`
  if (isBinary) {
    const head = `${disposition}; filename="${quoted}"\r\ncontent-type: ${contentType ?? 'application/octet-stream'}`
    return { head, data: Buffer.from(plainText(value), 'base64') }
  }
  const isJson =
    isJsonObject(value) || Array.isArray(value) || (contentType !== undefined && mediaKind(contentType) === 'json')
  const type = contentType ?? (isJson ? 'application/json' : undefined)
  const head = type === undefined ? disposition : `${disposition}\r\ncontent-type: ${type}`
  return { head, data: Buffer.from(isJson ? JSON.stringify(value) : plainText(value)) }
}
