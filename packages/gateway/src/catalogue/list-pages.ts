import type { ListKind } from '@junctor/exchange'
import type { Payload } from '@junctor/jsonrpc'
import { payloadFromText, printPayload } from '@junctor/jsonrpc'
import type { Revision } from '@junctor/protocol'
import { allows, downgradeListItem } from '@junctor/protocol'
import { offeredAsTask } from '../tasks/tool-traits.ts'
import type { TenantView } from './tenant-view.ts'

/** One page of a list, or why there is none. */
type Page = { readonly kind: 'page'; readonly result: Payload } | { readonly kind: 'bad_cursor' }

/** The lists of one view as results, each page serialised once for each revision. */
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
  const items = view.lists[kind].map((item) => printPayload(shown(kind, item, revision)))
  const count = Math.max(1, Math.ceil(items.length / pageItems))
  return Array.from({ length: count }, (_, index) => {
    const text = items.slice(index * pageItems, (index + 1) * pageItems).join(',')
    const next = index + 1 < count ? `,"nextCursor":${JSON.stringify(writeCursor(index + 1, view.digest))}` : ''
    return payloadFromText(`{"${kind}":[${text}]${next}}`)
  })
}

/** Any tool may be run as a task: the tasks are the gateway's. */
function shown(kind: ListKind, item: Payload, revision: Revision): Payload {
  const offered = kind === 'tools' && allows(revision, 'tasks') ? offeredAsTask(item) : item
  return downgradeListItem(kind, offered, revision)
}

/** A cursor says which page of which list it is, so that it is the same on every node, and refused when the list changed. */
function writeCursor(index: number, digest: string): string {
  return Buffer.from(`${index}.${digest}`).toString('base64url')
}

function readCursor(cursor: string, digest: string): number | undefined {
  const text = Buffer.from(cursor, 'base64url').toString()
  const match = /^([1-9][0-9]{0,8})\.(.+)$/.exec(text)
  return match !== null && match[2] === digest ? Number(match[1]) : undefined
}
