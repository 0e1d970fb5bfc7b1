import { judgeEventStream } from '../headers/judge-headers.ts'
import { headers } from '@junctor/protocol'
import type { ReceivedRequest } from '../request/received-request.ts'
import { SseConnection } from './sse-connection.ts'

/** Opens a connection (2024-11-05, "HTTP with SSE"): the stream, and on it the URL to post to. */
export function openStream(call: ReceivedRequest): void {
  call.authenticate((identity) => {
    const from = { identity }
    const verdict = judgeEventStream(call.header(headers.accept))
    if (!verdict.ok) return call.refuse(verdict.situation, { from, message: verdict.message })
    // A profile with its own streams has them at the other endpoint.
    if (identity.tenant.profile.http !== undefined) return call.refuse('unknown_tenant', { from })
    // On a connection with an endless answer before it, the stream would never be read.
    if (call.serving.open.has(call.request.socket)) return call.refuse('overloaded', { from })
    if (!call.enterStream(identity)) return
    const connection = new SseConnection(call, identity)
    connection.open()
  })
}
