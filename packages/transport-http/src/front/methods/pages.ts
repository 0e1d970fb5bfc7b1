import type { IncomingMessage, ServerResponse } from 'node:http'
import { judgeTarget } from '@junctor/connection'
import { addressKey } from '../headers/address-key.ts'
import type { ReceivedRequest } from '../request/received-request.ts'

/** Answers a request for a page. It may reject. The text is the one under which the client is counted: `addressKey`. */
type PageHandler = (request: IncomingMessage, response: ServerResponse, client: string) => void | Promise<void>

/** Finds the page of a path that is not one of the endpoint. Asked for each request: pages may come and go. */
export type FindPage = (path: string) => PageHandler | undefined

/**
 * Answers a request for a page. Its `Host` must be admitted, like that of every request. Its `Origin` may be any: pages check
 * where their forms come from.
 *
 * @returns false when there is no such page
 */
export function answerPage(call: ReceivedRequest, find: FindPage): boolean {
  const page = find(call.target.path)
  if (page === undefined) return false
  const target = judgeTarget(call.request)
  const verdict = target.ok ? call.serving.admission.admit(call.request.headers.host, undefined) : target
  if (!verdict.ok) call.refuse(verdict.situation, { message: verdict.message })
  else void run(call, page)
  return true
}

async function run(call: ReceivedRequest, page: PageHandler): Promise<void> {
  try {
    await page(call.request, call.response, addressKey(call.source.address))
  } catch (error) {
    if (isClientGone(call.request, error)) call.serving.log.debug('a client left before its request was answered')
    else call.fail(error)
  }
}

/** What reading a request, or writing its response, rejects with when the connection is closed. */
const codes: ReadonlySet<unknown> = new Set(['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'])

/** Whether an error only says that the client has closed the connection of this request: nobody waits for the answer. */
function isClientGone({ socket }: Pick<IncomingMessage, 'socket'>, error: unknown): boolean {
  return socket.destroyed && error instanceof Error && 'code' in error && codes.has(error.code)
}
