export { canonicalText } from './json/canonical-text.ts'
export { answeredBy, idAtEnd, judgeBeginning } from './parse/cut-response.ts'
export { decodeUtf8 } from './json/decode-utf8.ts'
export { describeJson } from './json/describe-json.ts'
export { edit, type Patch } from './payload/edit.ts'
export { defaultFrameBounds, type FrameBounds } from './parse/frame-bounds.ts'
export { exactly } from './payload/exactly.ts'
export { hasUnsafeNumbers } from './json/has-unsafe-numbers.ts'
export { holdsObject } from './payload/holds-object.ts'
export { type HeldNumber, holdsNumber } from './json/holds-number.ts'
export { isDeeperThan } from './json/is-deeper-than.ts'
export { isJsonObject, type JsonObject, type JsonValue, memberOf } from './json/json.ts'
export { createLineDecoder, type LineDecoder, type LineDecoderOptions } from './parse/line-decoder.ts'
export { mayHave } from './payload/may-have.ts'
export { items, member, members } from './payload/member.ts'
export type {
  AbortMessage,
  AckMessage,
  ChunkMessage,
  Dialect,
  ErrorResponse,
  Message,
  Notification,
  PartialResponse,
  Request,
  Response,
  ResultResponse,
} from './message/message.ts'
export { wantsStream } from './message/message.ts'
export { type Batch, entriesOf, type ParsedFrame, parseFrame } from './parse/parse-frame.ts'
export { parseJson } from './json/parse-json.ts'
export { type MessageStart, peekMessage } from './parse/peek-message.ts'
export { Pending } from './peer/pending.ts'
export { isPayload, type Payload, knownValue, payloadFromText, payloadOf, printPayload } from './payload/payload.ts'
export { createPeer } from './peer/create-peer.ts'
export type { Answer, Peer, PeerHandler, PeerOptions } from './peer/peer.ts'
export type { RequestOptions } from './peer/peer-request.ts'
export type { PeerStream, StreamOptions } from './peer/peer-stream.ts'
export {
  printError,
  printMessage,
  printNotification,
  type PrintOptions,
  printRequest,
  printResult,
} from './print/print-message.ts'
export { printAck, printChunk, printedChunkId, printV3, printV3Error, printV3Result } from './print/print-v3.ts'
export { numberedId, requestId, type RequestId, requestIdValue } from './message/request-id.ts'
export type { Closed, ResponseListener } from './peer/response-listener.ts'
export { isRawNumber, parseExactly, rawNumbersIn, withDoubles } from './json/raw-json.ts'
export { rewrite } from './payload/rewrite.ts'
export { plainLine } from './json/plain-line.ts'
export { isSameNumber } from './json/same-number.ts'
export { singleLine } from './json/single-line.ts'
export type { Unreadable } from './message/unreadable.ts'
export type { WireError } from './message/wire-error.ts'
export { withoutNulls } from './json/without-nulls.ts'
