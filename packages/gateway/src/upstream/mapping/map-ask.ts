import type { CallContext, ClientRequest } from '@junctor/exchange'
import { edit, isJsonObject } from '@junctor/jsonrpc'
import type { AskVerdict } from '@junctor/protocol'
import { askAllowed, downgradeClientRequest, methods } from '@junctor/protocol'
import { unrelated } from '../../shared/related-task.ts'

/** A question as the client is to see it, or why it must not see it. */
export type MappedAsk =
  | { readonly kind: 'ask'; readonly request: ClientRequest }
  | { readonly kind: 'refused'; readonly verdict: Extract<AskVerdict, { ok: false }> }

/**
 * A backend's question on its way to a client: refused when the client did not declare that it answers such questions,
 * reduced to what its revision knows. An elicitation names the backend that asks, because people answer it.
 *
 * @param asker what the client knows the backend by; empty: it is not told which one asks
 */
export function mapAsk(asker: string, context: CallContext, request: ClientRequest): MappedAsk {
  const { method, params } = request
  const { revision, client } = context
  const verdict = askAllowed(method, params?.value(), client.capabilities, revision)
  if (!verdict.ok) return { kind: 'refused', verdict }
  if (params === undefined) return { kind: 'ask', request }
  const shown = downgradeClientRequest(method, unrelated(params), { revision, capabilities: client.capabilities })
  const value = shown.value()
  const message = isJsonObject(value) ? value['message'] : undefined
  if (method !== methods.elicitationCreate || asker === '' || typeof message !== 'string') {
    return { kind: 'ask', request: { method, params: shown } }
  }
  return { kind: 'ask', request: { method, params: edit(shown, { message: `[${asker}] ${message}` }) } }
}
