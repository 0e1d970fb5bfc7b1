import { decodeUtf8, type FrameBounds, type ParsedFrame, parseFrame, type Unreadable } from '@junctor/jsonrpc'

/** Parses the bytes of a body as a message or a batch. */
export function parseBody(bytes: Uint8Array, bounds: FrameBounds): ParsedFrame {
  const text = decodeUtf8(bytes)
  return text === undefined ? notUtf8 : parseFrame(text, bounds)
}

const notUtf8: Unreadable = {
  kind: 'unreadable',
  situation: 'parse_error',
  dialect: undefined,
  id: undefined,
  answers: undefined,
  silent: false,
  notification: undefined,
  message: 'Expected UTF-8, got bytes that are not',
}
