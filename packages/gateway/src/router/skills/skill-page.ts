import { hash } from 'node:crypto'
import { type JsonObject, type JsonValue, type Payload, payloadFromText, printPayload } from '@junctor/jsonrpc'
import type { SkillList } from './skill-lists.ts'

/** A page of the merged list, and how long it may be kept (2026-07-28, Caching). */
interface SkillPage {
  readonly result: Payload
  readonly hints: JsonObject
}

/** Returns one page; undefined: the cursor is of another list. An entry is never split over pages (SEP-2640). */
export function skillPage(
  lists: readonly SkillList[],
  cursor: JsonValue | undefined,
  { pageItems, now }: { readonly pageItems: number; readonly now: number },
): SkillPage | undefined {
  const all = lists.flatMap(({ skills }) => skills.map(({ item }) => printPayload(item)))
  const digest = hash('sha256', all.join('\n'), 'base64url').slice(0, 12)
  const start = cursor === undefined ? 0 : readCursor(cursor, digest)
  if (start === undefined || start > all.length) return undefined
  const page = all.slice(start, start + pageItems)
  const next = start + pageItems < all.length ? `,"nextCursor":${JSON.stringify(`${start + pageItems}.${digest}`)}` : ''
  const ttlMs = Math.max(0, Math.floor(Math.min(...lists.map(({ expires }) => expires)) - now))
  const cacheScope = lists.every(({ isPublic }) => isPublic) ? 'public' : 'private'
  return { result: payloadFromText(`{"skills":[${page.join(',')}]${next}}`), hints: { ttlMs, cacheScope } }
}

function readCursor(cursor: JsonValue, digest: string): number | undefined {
  const match = typeof cursor === 'string' ? /^([1-9][0-9]{0,8})\.(.+)$/.exec(cursor) : null
  return match !== null && match[2] === digest ? Number(match[1]) : undefined
}
