export { canonicalText } from './canonical-text.ts'
export { answeredBy, idAtEnd, judgeBeginning } from './cut-response.ts'
export { decodeUtf8 } from './decode-utf8.ts'
export { describeJson } from './describe-json.ts'
export { edit, type Patch } from './edit.ts'
export { defaultFrameBounds, type FrameBounds } from './frame-bounds.ts'
export { hasUnsafeNumbers } from './has-unsafe-numbers.ts'
export { holdsObject } from './holds-object.ts'
export { type HeldNumber, holdsNumber } from './holds-number.ts'
export { isDeeperThan } from './is-deeper-than.ts'
export { isJsonObject, type JsonObject, type JsonValue } from './json.ts'
export { createLineDecoder, type LineDecoder, type LineDecoderOptions } from './line-decoder.ts'
export { mayHave } from './may-have.ts'
export { items, member, members } from './member.ts'
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
} from './message.ts'
export { wantsStream } from './message.ts'
export { type Batch, type ParsedFrame, parseFrame } from './parse-frame.ts'
export { type MessageStart, peekMessage } from './peek-message.ts'
export { Pending } from './pending.ts'
export { isPayload, type Payload, knownValue, payloadFromText, payloadOf, printPayload } from './payload.ts'
export { createPeer } from './create-peer.ts'
export type { Answer, Peer, PeerHandler, PeerOptions } from './peer.ts'
export type { RequestOptions } from './peer-request.ts'
export type { PeerStream, StreamOptions } from './peer-stream.ts'
export {
  printError,
  printMessage,
  printNotification,
  type PrintOptions,
  printRequest,
  printResult,
} from './print-message.ts'
export { printAck, printChunk, printedChunkId, printV3, printV3Error, printV3Result } from './print-v3.ts'
export { numberedId, requestId, type RequestId, requestIdValue } from './request-id.ts'
export type { Closed, ResponseListener } from './response-listener.ts'
export { isRawNumber, parseExactly, rawNumbersIn, withDoubles } from './raw-json.ts'
export { rewrite } from './rewrite.ts'
export { singleLine } from './single-line.ts'
export type { Unreadable } from './unreadable.ts'
export type { WireError } from './wire-error.ts'
