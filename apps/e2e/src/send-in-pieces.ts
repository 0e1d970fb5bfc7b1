import { once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'

/** A batch of the smallest pieces of a body: chunks of one byte (RFC 9112 section 7.1). */
const batch = 50_000
const pieces = Buffer.from('1\r\nx\r\n'.repeat(batch))

/**
 * Posts a body of one-byte chunks, which is no message.
 *
 * @param count of the chunks
 * @param sent called after each 50,000 of them
 * @returns the answer
 */
export async function sendInPieces(url: string, count: number, sent: () => void): Promise<string> {
  const { hostname, port, host, pathname } = new URL(url)
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text))
  const ended = once(socket, 'close')
  const head = [`POST ${pathname} HTTP/1.1`, `host: ${host}`, 'connection: close', 'transfer-encoding: chunked']
  const types = ['content-type: application/json', 'accept: application/json, text/event-stream']
  socket.write([...head, ...types, '', ''].join('\r\n'))
  for (let left = count; left > 0; left -= batch) {
    // oxlint-disable no-await-in-loop -- what was sent is read before more is
    await new Promise((resolve) => socket.write(pieces, resolve))
    for (let turns = 0; turns < 10; turns += 1) await turn()
    // oxlint-enable no-await-in-loop
    sent()
  }
  socket.write('0\r\n\r\n')
  await ended
  return answer
}
