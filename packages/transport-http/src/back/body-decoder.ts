import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
}

/** Receives a decoded body. */
export interface DecodedBody {
  read(chunk: Uint8Array): void
  /** The decoder takes more bytes again. */
  drained(): void
  end(): void
  /** The bytes do not have the coding. */
  undecodable(): void
}

/** Decodes the body of one response. */
export interface BodyDecoder {
  /** Returns false when the server must wait until `drained`. */
  write(chunk: Uint8Array): boolean
  end(): void
  /** Stops decoding. Nothing more is called. */
  close(): void
}

/** Whether bodies with this content coding can be decoded. Several codings at once are a mistake, or an attack. */
export function isDecodable(coding: string): boolean {
  return Object.hasOwn(decoders, coding.toLowerCase())
}

/**
 * Creates a decoder of one body. Requests ask for bodies without a coding, but some servers and proxies add one.
 *
 * @param coding a decodable content coding
 */
export function createBodyDecoder(coding: string, body: DecodedBody): BodyDecoder | undefined {
  const decoder = decoders[coding.toLowerCase()]?.()
  if (decoder === undefined) return undefined
  decoder.on('data', (chunk: Uint8Array) => body.read(chunk))
  decoder.on('drain', () => body.drained())
  decoder.on('end', () => body.end())
  decoder.on('error', () => body.undecodable())
  return {
    write: (chunk) => decoder.write(chunk),
    end: () => void decoder.end(),
    close() {
      decoder.removeAllListeners('data').removeAllListeners('end')
      decoder.destroy()
    },
  }
}
