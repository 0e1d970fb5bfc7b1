import type { ListKind } from '@junctor/contracts'
import { andThen } from '@junctor/primitives'
import { describeJson, edit, type Payload } from '@junctor/jsonrpc'
import { allows, showsViews } from '@junctor/protocol'
import type { KeptUntil } from '../upstream/catalogue/snapshot.ts'
import { failed } from '../upstream/calls/failed.ts'
import { cursorOf, unknownCursor } from './list-cursor.ts'
import type { MethodRoute, RouterParts } from './method-route.ts'

/** Answers lists from the catalogue, page by page. Cursors are issued by this gateway (Pagination). */
export function listRoute({ views, now }: Pick<RouterParts, 'views' | 'now'>, kind: ListKind): MethodRoute {
  return (call) => {
    const cursor = cursorOf(call.request)
    if (cursor !== undefined && typeof cursor !== 'string') {
      return failed(call, 'invalid_params', { message: `Expects "cursor" to be a string, got ${describeJson(cursor)}` })
    }
    return andThen(views.of(call.caller), ({ view, pages, missing }) => {
      const { revision, client } = call.exchange.context
      const withAliases = showsViews(client.capabilities)
      const page = pages.page(kind, revision, cursor, withAliases)
      const hints = missing.length === 0 && allows(revision, 'cacheHints') ? view.hints[kind] : undefined
      if (page.kind === 'page') return { kind: 'complete', result: hinted(page.result, hints, withAliases, now()) }
      return unknownCursor(call)
    })
  }
}

/** The page with its cache hints. A page that depends on the client's declaration is for this client alone. */
function hinted(page: Payload, hints: KeptUntil | undefined, isOwn: boolean, now: number): Payload {
  if (hints === undefined || hints.expires <= now) return page
  const cacheScope = hints.isPublic && !isOwn ? 'public' : 'private'
  return edit(page, { ttlMs: Math.floor(hints.expires - now), cacheScope })
}
