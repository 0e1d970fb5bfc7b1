import { defaultFrameBounds, isDeeperThan, type Payload, payloadFromText, singleLine } from '@junctor/jsonrpc'

/**
 * Makes a payload of a text that an end wrote which is not trusted: the text is relayed to clients, so it must be JSON in
 * one line, of a depth that every reader can handle.
 *
 * @throws SyntaxError, RangeError
 */
export function checkedPayload(text: string): Payload {
  if (isDeeperThan(text, defaultFrameBounds.depth)) {
    throw new RangeError(`expected at most ${defaultFrameBounds.depth} levels of objects and arrays, got more`)
  }
  JSON.parse(text)
  return payloadFromText(singleLine(text))
}
