import { type JsonObject, isJsonObject, type JsonValue } from '@junctor/plugin-sdk/link'
import { membersOf } from '../document/document.ts'

/** How a body or parameter of a media type is written. */
export type MediaKind = 'json' | 'form' | 'multipart' | 'text' | 'binary'

/** One entry of a `content` object. */
export interface MediaContent {
  /** As the document writes it: `application/json; charset=utf-8`. */
  readonly mediaType: string
  readonly kind: MediaKind
  readonly value: JsonObject
}

/** The kind of a media type. Ranges such as `*` + `/*` are binary: they say nothing of the form. */
export function mediaKind(mediaType: string): MediaKind {
  const type = essence(mediaType)
  if (/^(?:application|text)\/(?:[\w.!#$&^-]+\+)?json$/.test(type) || type === 'application/*') return 'json'
  if (type === 'application/x-www-form-urlencoded') return 'form'
  if (type === 'multipart/form-data') return 'multipart'
  return /^text\/|^application\/(?:xml|yaml|javascript|x-ndjson|jsonl)$|\+xml$|\+yaml$/.test(type) ? 'text' : 'binary'
}

/** A media type without parameters, in lower case; the first one where a server or proxy has sent several. */
export function essence(mediaType: string): string {
  return (mediaType.split(/[;,]/)[0] ?? '').trim().toLowerCase()
}

/** The entries of a `content` object. */
export function mediaContents(content: JsonValue | undefined): readonly MediaContent[] {
  return membersOf(content).flatMap(([mediaType, value]) =>
    isJsonObject(value) ? [{ mediaType, kind: mediaKind(mediaType), value }] : [],
  )
}

const preference: readonly MediaKind[] = ['json', 'multipart', 'form', 'text', 'binary']

/** The entry that is easiest to use; JSON first. */
export function preferredContent(contents: readonly MediaContent[]): MediaContent | undefined {
  return contents.toSorted((a, b) => preference.indexOf(a.kind) - preference.indexOf(b.kind))[0]
}
