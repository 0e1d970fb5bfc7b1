import { isJsonObject, type JsonValue, parseExactly, payloadOf, printPayload } from '@junctor/jsonrpc'
import { fitBlock, methods } from '@junctor/protocol'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import { prefixIn } from '../../shared/prefix-in.ts'
import { mapResult } from '../mapping/map-result.ts'
import { viewDomainsOf } from '../mapping/view-domain.ts'
import type { Call } from './call.ts'

/** The types of content with a URI, and the type that not every revision has. */
const changeable: ReadonlySet<unknown> = new Set(['resource', 'resource_link', 'audio'])

/**
 * A piece of the streamed result of a tool as its client sees it: with public URIs, and only content that the client's revision
 * has. It may be one block or several; anything else is unchanged.
 *
 * @param place distinguishes the pieces of one result
 */
export function shownPiece(call: Call, entry: BackendEntry, piece: unknown, place: number): unknown {
  if (call.request.method !== methods.toolsCall) return piece
  const blocks: readonly unknown[] = Array.isArray(piece) ? piece : [piece]
  if (!blocks.some((block) => isJsonObject(block) && changeable.has(block['type']))) return piece
  const shown = shownBlocks(call, entry, blocks as readonly JsonValue[], place)
  return Array.isArray(piece) ? shown : shown[0]
}

function shownBlocks(
  { caller: { tenant }, exchange: { context } }: Call,
  entry: BackendEntry,
  content: readonly JsonValue[],
  place: number,
): readonly JsonValue[] {
  const { revision, chain } = context
  const own = payloadOf({ content })
  const mapped = mapResult(methods.toolsCall, prefixIn(tenant, entry), own, viewDomainsOf(tenant, entry))
  const blocks = mapped === own ? content : contentIn(printPayload(mapped))
  // A tool that called this one gets everything, as in a result.
  return chain === undefined ? blocks.map((block, index) => fitBlock(block, revision, `${place}-${index}`)) : blocks
}

/** The content of a result, with its numbers unchanged. */
function contentIn(text: string): readonly JsonValue[] {
  const { content } = parseExactly(text) as { readonly content: readonly JsonValue[] }
  return content
}
