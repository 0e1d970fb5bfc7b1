import { isJsonObject, type JsonValue } from '@junctor/plugin-sdk/link'
import { plainText } from '../document/plain-text.ts'
import { membersOf } from '../document/document.ts'
import type { ParameterForm } from '../operations/parameter.ts'

type Encode = (text: string) => string

/**
 * A value as the pairs of a query, a form or a cookie, not yet encoded. Values that are null have no pair (OpenAPI 3.1,
 * "Style Values"; RFC 6570 leaves them out, too).
 */
export function toPairs(name: string, value: JsonValue, form: ParameterForm): readonly (readonly [string, string])[] {
  if (form.kind === 'content') return [[name, form.media === 'json' ? JSON.stringify(value) : plainText(value)]]
  const { style, explode } = form
  if (value === null) return []
  if (style === 'deepObject') return deepPairs(name, value)
  if (Array.isArray(value)) {
    const items = (value as readonly JsonValue[]).filter((item) => item !== null).map(plainText)
    if (explode) return items.map((item) => [name, item])
    return items.length === 0 ? [] : [[name, items.join(separators[style] ?? ',')]]
  }
  if (!isJsonObject(value)) return [[name, plainText(value)]]
  const members = membersOf(value).filter(([, member]) => member !== null)
  if (explode) return members.map(([member, one]) => [member, plainText(one)])
  const flat = members.flatMap(([member, one]) => [member, plainText(one)])
  return flat.length === 0 ? [] : [[name, flat.join(separators[style] ?? ',')]]
}

const separators: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' }

/** `filter[state][from]=…`: what the specification leaves open for nested values is done as most servers read it. */
function deepPairs(name: string, value: JsonValue): readonly (readonly [string, string])[] {
  if (value === null) return []
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).flatMap((item, index) => deepPairs(`${name}[${index}]`, item))
  }
  if (!isJsonObject(value)) return [[name, plainText(value)]]
  return membersOf(value).flatMap(([member, one]) => deepPairs(`${name}[${member}]`, one))
}

/** A value in a path: the styles `simple`, `label` and `matrix` (RFC 6570, sections 3.2.2, 3.2.5 and 3.2.7). */
export function toPathText(name: string, value: JsonValue, form: ParameterForm): string {
  const encode: Encode = encodeURIComponent
  if (form.kind === 'content') return encode(form.media === 'json' ? JSON.stringify(value) : plainText(value))
  const { style, explode } = form
  if (style === 'matrix') return matrixText(encode(name), value, explode)
  const joined = (separator: string): string => listText(value, explode, separator, encode)
  return style === 'label' ? `.${joined(explode ? '.' : ',')}` : joined(',')
}

/** A value in a header: the style `simple`. */
export function toHeaderText(value: JsonValue, form: ParameterForm): string {
  if (form.kind === 'content') return form.media === 'json' ? JSON.stringify(value) : plainText(value)
  return listText(value, form.explode, ',', (text) => text)
}

function listText(value: JsonValue, explode: boolean, separator: string, encode: Encode): string {
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).map((item) => encode(plainText(item))).join(separator)
  if (!isJsonObject(value)) return encode(plainText(value))
  return membersOf(value)
    .map(([member, one]) => `${encode(member)}${explode ? '=' : separator}${encode(plainText(one))}`)
    .join(separator)
}

function matrixText(name: string, value: JsonValue, explode: boolean): string {
  const encode: Encode = encodeURIComponent
  if (!explode || (!Array.isArray(value) && !isJsonObject(value))) {
    return `;${name}=${listText(value, false, ',', encode)}`
  }
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).map((item) => `;${name}=${encode(plainText(item))}`).join('')
  }
  return membersOf(value)
    .map(([member, one]) => `;${encode(member)}=${encode(plainText(one))}`)
    .join('')
}
