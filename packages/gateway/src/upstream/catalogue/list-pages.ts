import type { ListKind } from '@junctor/contracts'
import { edit, member, type Payload, payloadFromText, payloadOf, printPayload } from '@junctor/jsonrpc'
import { allows, downgradeListItem, type Revision } from '@junctor/protocol'
import { withTaskSupport } from '../../shared/tool-traits.ts'
import type { BareNames } from './bare-names.ts'
import type { Route, TenantView } from './tenant-view.ts'

/** One page of a list, or why there is none. */
type Page = { readonly kind: 'page'; readonly result: Payload } | { readonly kind: 'bad_cursor' }

/** The lists of one view as results. Each page is serialised once for each revision, when a client first asks for it. */
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
  const pages = new Map<string, Payload>()
  let withAliased: readonly Payload[] | undefined

  return {
    page(kind, revision, cursor, withAliases = false) {
      const added = withAliases && kind === 'tools' ? (aliases?.callableTools() ?? []) : []
      const own = view.digests[kind]
      // Whether views may call a tool may depend on the resources of its backend.
      const digest = added.length === 0 ? own : `${own}.${view.digests.resources}`
      const index = cursor === undefined ? 0 : readCursor(cursor, digest)
      if (index === undefined) return { kind: 'bad_cursor' }
      const key = `${kind} ${revision} ${digest} ${index}`
      let result = pages.get(key)
      if (result === undefined) {
        const listed =
          added.length === 0 ? view.lists[kind] : (withAliased ??= [...view.lists.tools, ...aliasesOf(added, view)])
        const end = (index + 1) * pageItems
        const items = listed.slice(index * pageItems, end)
        if (index > 0 && items.length === 0) return { kind: 'bad_cursor' }
        const next = end < listed.length ? `,"nextCursor":${JSON.stringify(writeCursor(index + 1, digest))}` : ''
        result = payloadFromText(`{"${kind}":[${textOf(items, kind, revision, view)}]${next}}`)
        pages.set(key, result)
      }
      return { kind: 'page', result }
    },
  }
}

function textOf(items: readonly Payload[], kind: ListKind, revision: Revision, view: TenantView): string {
  const shown = shownTo(items, kind, revision, view)
  return shown.map((item) => printPayload(downgradeListItem(kind, item, revision))).join(',')
}

/**
 * The items for a revision. Clients that know tasks see which tools can run as a task: all except the gateway's own.
 */
function shownTo(
  items: readonly Payload[],
  kind: ListKind,
  revision: Revision,
  { routes }: TenantView,
): readonly Payload[] {
  if (kind !== 'tools' || !allows(revision, 'tasks')) return items
  return items.map((item) => {
    const name = member(item, 'name')?.value()
    const traits = typeof name === 'string' ? routes.tools.get(name)?.traits : undefined
    return traits === undefined ? item : withTaskSupport(item, traits)
  })
}

/** Tools under their backends' own names, for views alone: hosts do not show these to a model (MCP Apps, "Visibility"). */
function aliasesOf(added: readonly Route[], { lists }: TenantView): readonly Payload[] {
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
