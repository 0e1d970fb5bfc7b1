import { addressKey } from '../headers/address-key.ts'
import type { EndpointHandlers } from './endpoint-handlers.ts'
import type { ReceivedRequest } from '../request/received-request.ts'
import { HttpSink } from '../request/http-sink.ts'
import { receiveBody } from '../request/receive-body.ts'
import { parseBody } from '../body/parse-body.ts'
import { judgePost, postRead } from './post.ts'

/** How many bytes of a body are read before the caller is known. A request about a job has a few hundred. */
const bodyBytes = 8 * 1024

/**
 * The endpoint at `jobQ.url`: a caller with a job's token may read that job. Other requests work as at the main
 * endpoint.
 */
export const jobsHandlers: EndpointHandlers = { allowed: 'POST, OPTIONS', verbs: { POST: postJob } }

/** The tenant of a caller that has not shown one yet. */
const anyTenant = { name: '' }
const tooMany = 'This address waits for as many jobs as it may wait for'

function postJob(call: ReceivedRequest): void {
  const verdict = judgePost(call)
  if (!verdict.ok) return call.refuse(verdict.situation, { message: verdict.message })
  receiveBody(call, {}, Math.min(bodyBytes, call.serving.limits.body), (bytes) => answer(call, bytes))
}

function answer(call: ReceivedRequest, bytes: Uint8Array): void {
  const { limits, front, readers } = call.serving
  const frame = parseBody(bytes, limits.frame)
  if (frame.kind !== 'message' || frame.message.kind !== 'request') return postRead(call, bytes)
  const leave = readers.enter({
    principal: { key: addressKey(call.source.address) },
    tenant: anyTenant,
  })
  if (leave === undefined) return call.refuse('overloaded', { message: tooMany })
  call.response.once('close', leave)
  const sink = new HttpSink(call, { session: undefined })
  if (front.collect(frame.message, call, call.tenant ?? '', sink)) return sink.follow()
  leave()
  postRead(call, bytes)
}
