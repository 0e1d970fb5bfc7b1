import type { IncomingMessage } from 'node:http'

/** What reading a request, or writing its response, rejects with when the connection is closed. */
const codes: ReadonlySet<unknown> = new Set(['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'])

/** Whether an error only says that the client has closed the connection of this request: nobody waits for the answer. */
export function isClientGone({ socket }: Pick<IncomingMessage, 'socket'>, error: unknown): boolean {
  return socket.destroyed && error instanceof Error && 'code' in error && codes.has(error.code)
}
