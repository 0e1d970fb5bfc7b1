import type { ListKind } from '@junctor/contracts'
import { andThen } from '@junctor/primitives'
import { isJsonObject } from '@junctor/jsonrpc'
import { showsViews } from '@junctor/protocol'
import { failed } from '../upstream/calls/failed.ts'
import { described } from './params.ts'
import type { MethodRoute, RouterParts } from './method-route.ts'

/** Answers lists from the catalogue, page by page. Cursors are issued by this gateway (Pagination). */
export function listRoute({ views }: Pick<RouterParts, 'views'>, kind: ListKind): MethodRoute {
  return (call) => {
    const value = call.request.params?.value()
    const cursor = isJsonObject(value) ? value['cursor'] : undefined
    if (cursor !== undefined && typeof cursor !== 'string') {
      return failed(call, 'invalid_params', { message: `Expects "cursor" to be a string, got ${described(cursor)}` })
    }
    return andThen(views.of(call.caller), ({ pages }) => {
      const { revision, client } = call.exchange.context
      const page = pages.page(kind, revision, cursor, showsViews(client.capabilities))
      if (page.kind === 'page') return { kind: 'complete', result: page.result }
      return failed(call, 'invalid_params', { message: 'Unknown cursor: list again from the start' })
    })
  }
}
