import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** The secrets that pass over HTTP in this process: what clients send to the gateway, and the gateway to servers. */
export interface SeenSecrets {
  /** Each secret with where it was seen first. */
  all(): ReadonlyMap<string, string>
  /** Looks no longer. */
  stop(): void
}

/** A shorter text is in many words. */
const leastCharacters = 12

/** Members of URLs and forms that no other party may see. */
const secretMembers: ReadonlySet<string> = new Set([
  'access_token',
  'assertion',
  'client_assertion',
  'client_secret',
  'code',
  'code_verifier',
  'id_token',
  'password',
  'refresh_token',
  'state',
  'subject_token',
  'token',
])

/** Looks at every request and answer over HTTP of this process: its tokens, codes, verifiers, assertions and session ids. */
export function seeSecrets(): SeenSecrets {
  const found = new Map<string, string>()
  const add = (where: string, value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) add(where, one)
    if (typeof value === 'string' && value.length >= leastCharacters && !found.has(value)) found.set(value, where)
  }
  const addMembers = (where: string, text: string): void => {
    for (const [name, value] of new URLSearchParams(text)) if (secretMembers.has(name)) add(`${where} ${name}`, value)
  }
  const addHeaders = (where: string, headers: Iterable<readonly [string, unknown]>): void => {
    for (const [name, value] of headers) {
      const lower = name.toLowerCase()
      if (lower === 'authorization') add(`${where} ${lower}`, String(value).replace(/^\S+ /, ''))
      if (lower === 'mcp-session-id' || lower === 'dpop') add(`${where} ${lower}`, value)
      if (lower === 'cookie' || lower === 'set-cookie') {
        for (const pair of [value].flat()) add(`${where} ${lower}`, /=([^;]+)/.exec(String(pair))?.[1])
      }
      if (lower === 'location') addMembers(`${where} location`, String(value).split('?')[1] ?? '')
    }
  }
  const received = (message: unknown): void => {
    const { request } = message as { request: IncomingMessage }
    addHeaders('request', Object.entries(request.headers))
    addMembers('request URL', request.url?.split('?')[1] ?? '')
  }
  const answered = (message: unknown): void => {
    const { response } = message as { response: ServerResponse }
    addHeaders('answer', Object.entries(response.getHeaders()))
  }
  const sent = (message: unknown): void => {
    const { request } = message as { request: { headers?: readonly string[]; path?: string; body?: unknown } }
    const flat = request.headers ?? []
    addHeaders(
      'sent',
      Array.from({ length: flat.length / 2 }, (_, at) => [flat[2 * at] ?? '', flat[2 * at + 1]] as const),
    )
    addMembers('sent URL', request.path?.split('?')[1] ?? '')
    const { body } = request
    if (typeof body === 'string') addMembers('sent body', body)
    if (body instanceof Uint8Array) addMembers('sent body', Buffer.from(body).toString())
  }
  const channels = {
    'http.server.request.start': received,
    'http.server.response.finish': answered,
    'undici:request:create': sent,
  }
  for (const [name, see] of Object.entries(channels)) subscribe(name, see)
  return {
    all: () => found,
    stop() {
      for (const [name, see] of Object.entries(channels)) unsubscribe(name, see)
    },
  }
}
