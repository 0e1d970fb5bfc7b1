import type { IncomingMessage } from 'node:http'
import { headers } from '@junctor/protocol'
import type { Head } from '@junctor/contracts'
import { sessionsInQuery } from './session-parameter.ts'

/** The session that a request names, if any, or the reason why it is ambiguous. */
export type SessionNamed =
  | { readonly ok: true; readonly id: string | undefined }
  | { readonly ok: false; readonly message: string }

/** The session in the header, the path or the query of a request, for profiles that accept all three. */
export function sessionNamed(
  call: Pick<Head, 'header'> & { readonly request: IncomingMessage; readonly pathSession: string | undefined },
): SessionNamed {
  const { request, pathSession } = call
  const inHeader = call.header(headers.sessionId)
  // Nearly every request names it in the header alone.
  if (pathSession === undefined && request.url?.includes('?') !== true) return { ok: true, id: inHeader }
  const named = [inHeader, pathSession, ...sessionsInQuery(request)].filter((id) => id !== undefined)
  const [id] = named
  if (named.every((other) => other === id)) return { ok: true, id }
  return {
    ok: false,
    message: 'Expected the header, the path and the query to name the same session, got different ones',
  }
}
