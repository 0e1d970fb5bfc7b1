import { randomUUID } from 'node:crypto'
import type { CallContext } from '@junctor/exchange'
import { edit, isJsonObject, type JsonObject } from '@junctor/jsonrpc'
import {
  type ClientRequest,
  type ClientRequestVerdict,
  downgradeClientRequest,
  eraOf,
  isMcpMethod,
  judgeClientRequest,
  methods,
  type Revision,
} from '@junctor/protocol'
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
 * @param passes whether requests outside MCP pass, to clients that get requests at all: they answer themselves those that they
 *   do not know. Default: false
 */
export function mapAsk(asker: string, context: CallContext, request: ClientRequest, passes = false): MappedAsk {
  const { method, params } = request
  const { revision, client } = context
  if (passes && !isMcpMethod(method) && eraOf(revision) === 'handshake') return { kind: 'ask', request }
  const verdict = judgeClientRequest(method, params?.value(), client.capabilities, revision)
  if (!verdict.ok) return { kind: 'refused', verdict }
  if (params === undefined) return { kind: 'ask', request }
  const shown = downgradeClientRequest(method, unrelated(params), { revision, capabilities: client.capabilities })
  const value = shown.value()
  if (method !== methods.elicitationCreate || !isJsonObject(value)) {
    return { kind: 'ask', request: { method, params: shown } }
  }
  const { message } = value
  const patch = {
    ...(needsId(value, revision) && { elicitationId: randomUUID() }),
    ...(asker !== '' && typeof message === 'string' && { message: `[${asker}] ${message}` }),
  }
  return { kind: 'ask', request: { method, params: edit(shown, patch) } }
}

/** Clients of 2025-11-25 refuse a URL without an id, which servers of 2026-07-28 do not give. */
function needsId({ mode, elicitationId }: JsonObject, revision: Revision): boolean {
  return mode === 'url' && elicitationId === undefined && eraOf(revision) !== 'modern'
}
