import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Exchange } from '@junctor/exchange'

/** Pieces that are sent before everything else has its turn, a cancel too: no more than are kept for a slow reader. */
const turn = 64

/**
 * Sends what a source yields, at the pace of the reader, and gives what the source returns. When the exchange has ended
 * the source is told to return, at the latest 64 pieces after the cancel has arrived.
 *
 * @param shape what is sent for a piece
 */
export async function sendPieces<Piece>(
  source: AsyncIterable<Piece>,
  exchange: Exchange,
  shape: (piece: Piece) => unknown,
): Promise<unknown> {
  const pieces = source[Symbol.asyncIterator]()
  let sent = 0
  // Not `for await`: that loses what the source returns.
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop
    const { done, value } = await pieces.next()
    if (done === true) return value
    if (exchange.ended === undefined) {
      // oxlint-disable-next-line no-await-in-loop
      await exchange.chunk(shape(value))
      sent += 1
      // A source and a reader that never wait would leave nobody else a turn.
      // oxlint-disable-next-line no-await-in-loop
      if (sent % turn === 0) await nextTurn()
    }
    // oxlint-disable-next-line no-await-in-loop
    if (exchange.ended !== undefined) return void (await pieces.return?.())
  }
}

/** Whether a handler's answer is made piece by piece. */
export function isPieces(answer: unknown): answer is AsyncIterable<unknown> {
  return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer
}
