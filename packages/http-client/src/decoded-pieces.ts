import { pipeline, Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { HttpRequestError } from './http-request-error.ts'

/**
 * The content codings that are decoded. `x-gzip` is not one of them: with this name servers describe files that are
 * compressed themselves.
 */
const decoders: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

/** A body that is read once. */
interface Body {
  pieces(): AsyncIterable<Uint8Array>
  /** Wakes a reader that waits for more. */
  cancel(): void
}

/**
 * The pieces of a body without its content coding. Requests ask for none, but files are stored with one, and proxies
 * add one unasked. A body with a coding that is not known stays as it is.
 *
 * @throws HttpRequestError when the pieces do, when they do not have the coding, or when they become too large
 */
export function decodedPieces(body: Body, encoding: string | undefined, maxBytes: number): AsyncIterable<Uint8Array> {
  const names = (encoding ?? '').toLowerCase().split(/[\s,]+/)
  const used = names.filter((name) => name !== '' && name !== 'identity').map((name) => decoders.get(name))
  const [create] = used
  // Several codings are a mistake, or an attack.
  return create === undefined || used.length > 1 ? body.pieces() : decoded(body, create(), maxBytes)
}

async function* decoded(body: Body, decoder: Transform, maxBytes: number): AsyncGenerator<Uint8Array, void, undefined> {
  let isEmpty = true
  async function* encoded(): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const piece of body.pieces()) {
      isEmpty = false
      yield piece
    }
  }
  // What goes wrong is thrown by the loop below.
  pipeline(Readable.from(encoded()), decoder, () => undefined)
  let size = 0
  try {
    for await (const piece of decoder as AsyncIterable<Uint8Array>) {
      size += piece.length
      if (size > maxBytes) {
        throw new HttpRequestError('too_large', `the body has more than ${maxBytes} bytes`, { sent: true })
      }
      yield piece
    }
  } catch (error) {
    if (error instanceof HttpRequestError) throw error
    // An answer without content may name the coding that it would have.
    if (isEmpty) return
    throw new HttpRequestError('undecodable', 'the body does not have its content coding', { sent: true, cause: error })
  } finally {
    body.cancel()
  }
}
