import type { ListKind } from '@junctor/contracts'
import type { Payload } from '@junctor/jsonrpc'
import { member, payloadFromText, printPayload } from '@junctor/jsonrpc'
import type { Revision } from '@junctor/protocol'
import { allows, downgradeListItem } from '@junctor/protocol'
import { withTaskSupport } from '../../shared/tool-traits.ts'
import type { TenantView } from './tenant-view.ts'

/** One page of a list, or why there is none. */
type Page = { readonly kind: 'page'; readonly result: Payload } | { readonly kind: 'bad_cursor' }

/** The lists of one view as results. Each page is serialised once for each revision. */
export interface ListPages {
  page(kind: ListKind, revision: Revision, cursor: string | undefined): Page
}

export function createListPages(view: TenantView, pageItems: number): ListPages {
  const pages = new Map<string, readonly Payload[]>()

  return {
    page(kind, revision, cursor) {
      const index = cursor === undefined ? 0 : readCursor(cursor, view.digest)
      const key = `${kind} ${revision}`
      let list = pages.get(key)
      if (list === undefined) {
        list = serialise(view, kind, revision, pageItems)
        pages.set(key, list)
      }
      const result = index === undefined ? undefined : list[index]
      return result === undefined ? { kind: 'bad_cursor' } : { kind: 'page', result }
    },
  }
}

function serialise(view: TenantView, kind: ListKind, revision: Revision, pageItems: number): readonly Payload[] {
  const items = shownTo(revision, kind, view).map((item) => printPayload(downgradeListItem(kind, item, revision)))
  const count = Math.max(1, Math.ceil(items.length / pageItems))
  return Array.from({ length: count }, (_, index) => {
    const text = items.slice(index * pageItems, (index + 1) * pageItems).join(',')
    const next = index + 1 < count ? `,"nextCursor":${JSON.stringify(writeCursor(index + 1, view.digest))}` : ''
    return payloadFromText(`{"${kind}":[${text}]${next}}`)
  })
}

/**
 * The items for a revision. Clients that know tasks see which tools can run as a task: all except the gateway's own.
 */
function shownTo(revision: Revision, kind: ListKind, { lists, routes }: TenantView): readonly Payload[] {
  if (kind !== 'tools' || !allows(revision, 'tasks')) return lists[kind]
  return lists.tools.map((item) => {
    const name = member(item, 'name')?.value()
    const traits = typeof name === 'string' ? routes.tools.get(name)?.traits : undefined
    return traits === undefined ? item : withTaskSupport(item, traits)
  })
}

/**
 * A cursor contains its page and the digest of its list: it is valid on every node, and refused when the list has
 * changed.
 */
function writeCursor(index: number, digest: string): string {
  return Buffer.from(`${index}.${digest}`).toString('base64url')
}

function readCursor(cursor: string, digest: string): number | undefined {
  const text = Buffer.from(cursor, 'base64url').toString()
  const match = /^([1-9][0-9]{0,8})\.(.+)$/.exec(text)
  return match !== null && match[2] === digest ? Number(match[1]) : undefined
}
