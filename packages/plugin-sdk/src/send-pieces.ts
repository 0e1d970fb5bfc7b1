import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Exchange } from '@junctor/exchange'

/**
 * How many pieces are sent before other work, such as a cancel, gets its turn: as many as fit a slow reader's buffer.
 */
const turn = 64

/**
 * Sends what a source yields, at the pace of the reader, and resolves with the source's return value. When the exchange
 * has ended, calls `return()` of the source: at most 64 pieces after the cancel has arrived.
 *
 * @param shape converts a piece to the value that is sent
 */
export async function sendPieces<Piece>(
  source: AsyncIterable<Piece>,
  exchange: Exchange,
  shape: (piece: Piece) => unknown,
): Promise<unknown> {
  const pieces = source[Symbol.asyncIterator]()
  let sent = 0
  // Not `for await`: that discards the return value of the source.
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop
    const { done, value } = await pieces.next()
    if (done === true) return value
    if (exchange.ended === undefined) {
      // oxlint-disable-next-line no-await-in-loop
      await exchange.chunk(shape(value))
      sent += 1
      // When neither the source nor the reader ever waits, other work would get no turn.
      // oxlint-disable-next-line no-await-in-loop
      if (sent % turn === 0) await nextTurn()
    }
    // oxlint-disable-next-line no-await-in-loop
    if (exchange.ended !== undefined) return void (await pieces.return?.())
  }
}

/** Whether a handler's answer is a source of pieces. */
export function isPieces(answer: unknown): answer is AsyncIterable<unknown> {
  return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer
}
