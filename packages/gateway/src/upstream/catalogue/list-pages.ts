import type { ListKind } from '@junctor/contracts'
import type { Payload } from '@junctor/jsonrpc'
import { edit, member, payloadFromText, payloadOf, printPayload } from '@junctor/jsonrpc'
import type { Revision } from '@junctor/protocol'
import { allows, downgradeListItem } from '@junctor/protocol'
import { withTaskSupport } from '../../shared/tool-traits.ts'
import type { BareNames } from './bare-names.ts'
import type { Route, TenantView } from './tenant-view.ts'

/** One page of a list, or why there is none. */
type Page = { readonly kind: 'page'; readonly result: Payload } | { readonly kind: 'bad_cursor' }

/** The lists of one view as results. Each page is serialised once for each revision. */
export interface ListPages {
  /** @param withAliases whether tools are also listed under the names that views call them by */
  page(kind: ListKind, revision: Revision, cursor: string | undefined, withAliases?: boolean): Page
}

/** @param aliases the tools that views call by other names. Absent: these are not listed */
export function createListPages(
  view: TenantView,
  pageItems: number,
  aliases?: Pick<BareNames, 'callableTools'>,
): ListPages {
  const pages = new Map<string, readonly Payload[]>()

  return {
    page(kind, revision, cursor, withAliases = false) {
      const added = withAliases && kind === 'tools' ? (aliases?.callableTools() ?? []) : []
      const own = view.digests[kind]
      // Whether views may call a tool may depend on the resources of its backend.
      const digest = added.length === 0 ? own : `${own}.${view.digests.resources}`
      const index = cursor === undefined ? 0 : readCursor(cursor, digest)
      const key = `${kind} ${revision} ${digest}`
      let list = pages.get(key)
      if (list === undefined) {
        const items = [...shownTo(revision, kind, view), ...aliasesOf(added, view)]
        list = serialise(items, kind, revision, { digest, pageItems })
        pages.set(key, list)
      }
      const result = index === undefined ? undefined : list[index]
      return result === undefined ? { kind: 'bad_cursor' } : { kind: 'page', result }
    },
  }
}

function serialise(
  listed: readonly Payload[],
  kind: ListKind,
  revision: Revision,
  { digest, pageItems }: { readonly digest: string; readonly pageItems: number },
): readonly Payload[] {
  const items = listed.map((item) => printPayload(downgradeListItem(kind, item, revision)))
  const count = Math.max(1, Math.ceil(items.length / pageItems))
  return Array.from({ length: count }, (_, index) => {
    const text = items.slice(index * pageItems, (index + 1) * pageItems).join(',')
    const next = index + 1 < count ? `,"nextCursor":${JSON.stringify(writeCursor(index + 1, digest))}` : ''
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

/** Tools under their backends' own names, for views alone: hosts do not show these to a model (MCP Apps, "Visibility"). */
function aliasesOf(added: readonly Route[], { lists }: TenantView): readonly Payload[] {
  if (added.length === 0) return []
  const names = new Map(added.map(({ shown, name }) => [shown, name]))
  return lists.tools.flatMap((item) => {
    const shown = member(item, 'name')?.value()
    const name = typeof shown === 'string' ? names.get(shown) : undefined
    return name === undefined ? [] : [forViews(item, name)]
  })
}

function forViews(item: Payload, name: string): Payload {
  const meta = member(item, '_meta') ?? payloadOf({})
  const ui = member(meta, 'ui') ?? payloadOf({})
  return edit(item, { name, _meta: edit(meta, { ui: edit(ui, { visibility: ['app'] }) }) })
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
