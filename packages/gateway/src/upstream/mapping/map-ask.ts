import type { CallContext } from '@junctor/exchange'
import { edit, memberOf } from '@junctor/jsonrpc'
import type { ClientRequest, ClientRequestVerdict } from '@junctor/protocol'
import { judgeClientRequest, downgradeClientRequest, methods } from '@junctor/protocol'
import { unrelated } from '../../shared/related-task.ts'

/** A question in the form for the client, or why the client must not get it. */
export type MappedAsk =
  | { readonly kind: 'ask'; readonly request: ClientRequest }
  | { readonly kind: 'refused'; readonly verdict: Extract<ClientRequestVerdict, { ok: false }> }

/**
 * Maps a backend's question for a client. Refuses it when the client did not declare support for such questions.
 * Removes what the client's revision does not support. An elicitation names the backend that asks, because a person
 * answers it.
 *
 * @param asker the name of the backend for the client; empty: the backend is not named
 */
export function mapAsk(asker: string, context: CallContext, request: ClientRequest): MappedAsk {
  const { method, params } = request
  const { revision, client } = context
  const verdict = judgeClientRequest(method, params?.value(), client.capabilities, revision)
  if (!verdict.ok) return { kind: 'refused', verdict }
  if (params === undefined) return { kind: 'ask', request }
  const shown = downgradeClientRequest(method, unrelated(params), { revision, capabilities: client.capabilities })
  const message = memberOf(shown.value(), 'message')
  if (method !== methods.elicitationCreate || asker === '' || typeof message !== 'string') {
    return { kind: 'ask', request: { method, params: shown } }
  }
  return { kind: 'ask', request: { method, params: edit(shown, { message: `[${asker}] ${message}` }) } }
}
