import type { IncomingHttpHeaders } from 'node:http'
import { mediaTypes, type Profile, type Revision, revisionOf } from '@junctor/protocol'
import { type AdmissionRefusal, type AdmissionVerdict, admitted, quotedHeader } from '@junctor/connection'

/** The forms of an answer that an `Accept` header allows. */
export interface Accepted {
  readonly json: boolean
  readonly eventStream: boolean
  readonly ndjson: boolean
  /** Lines are listed, and events are not or have a lower weight. */
  readonly prefersNdjson: boolean
}

const everything: Accepted = { json: true, eventStream: true, ndjson: true, prefersNdjson: false }

/**
 * Parses `Accept` (RFC 9110 section 12.5.1): wildcards, any case, weights, `q=0` excludes, the more specific range
 * wins. An absent or empty header allows everything.
 */
export function readAccept(accept: string | undefined): Accepted {
  if (accept === undefined || accept.trim() === '') return everything
  const weights = new Map<string, number>()
  for (const entry of accept.toLowerCase().split(',')) {
    const [range = '', ...parameters] = entry.split(';').map((part) => part.trim())
    weights.set(range, weightOf(parameters))
  }
  const named = (type: string): number => weights.get(type) ?? 0
  const allows = (type: string): boolean =>
    (weights.get(type) ?? weights.get(`${type.slice(0, type.indexOf('/'))}/*`) ?? named('*/*')) > 0
  return {
    json: allows(mediaTypes.json),
    eventStream: allows(mediaTypes.eventStream),
    ndjson: allows(mediaTypes.ndjson),
    prefersNdjson: named(mediaTypes.ndjson) > named(mediaTypes.eventStream),
  }
}

/** The weight among the parameters of a range, from 0 to 1; 1 when it is missing or malformed. */
function weightOf(parameters: readonly string[]): number {
  for (const parameter of parameters) {
    const [, weight] = /^q\s*=\s*([01](?:\.[0-9]*)?)$/.exec(parameter) ?? []
    if (weight !== undefined) return Number(weight)
  }
  return 1
}

/** The values that nearly every client sends. */
const usualAccepts: ReadonlySet<string> = new Set([
  `${mediaTypes.json}, ${mediaTypes.eventStream}`,
  `${mediaTypes.eventStream}, ${mediaTypes.json}`,
  '*/*',
])

/** Whether a POST has the headers that nearly every client sends. It would pass all checks of its body and `Accept`. */
export function isUsualPost({
  accept,
  'content-type': type,
  'content-encoding': encoding,
}: Pick<IncomingHttpHeaders, 'accept' | 'content-type' | 'content-encoding'>): boolean {
  return type === mediaTypes.json && encoding === undefined && accept !== undefined && usualAccepts.has(accept)
}

/** Whether a stream should consist of lines (NDJSON): `Accept` lists them with a higher weight than events. */
export function prefersNdjson(accept: string | undefined): boolean {
  return accept !== undefined && !usualAccepts.has(accept) && readAccept(accept).prefersNdjson
}

/** Checks `Content-Type` of a POST with a message in it (415). */
export function judgeContentType(contentType: string | undefined): AdmissionVerdict {
  if (isJson(contentType)) return admitted
  return refuse('unsupported_media_type', `Content-Type must be application/json, got ${shown(contentType)}`)
}

/** Checks `Content-Encoding` of a POST (415): compressed bodies are refused, never decompressed. */
export function judgeContentEncoding(encoding: string | undefined): AdmissionVerdict {
  if (encoding === undefined || /^\s*identity\s*$/i.test(encoding)) return admitted
  return refuse('unsupported_media_type', `Content-Encoding must be identity or absent, got ${shown(encoding)}`)
}

/**
 * Checks `Accept` of a POST (406): the answer may be one text or a stream, and a client must allow both (Streamable
 * HTTP, sending). A client that prefers lines can read either.
 */
export function judgePostAccept(accept: string | undefined): AdmissionVerdict {
  if (accept !== undefined && usualAccepts.has(accept)) return admitted
  const { json, eventStream, prefersNdjson: lines } = readAccept(accept)
  if ((json && eventStream) || lines) return admitted
  return refuse('not_acceptable', `Accept must allow application/json and text/event-stream, got ${shown(accept)}`)
}

/** Whether the client accepts a stream of events only, and no single text: enough for requests of JSON-RPC 3.0. */
export function takesStreamOnly(accept: string | undefined): boolean {
  const { json, eventStream } = readAccept(accept)
  return eventStream && !json
}

/** Whether `Accept` names a type of stream: a client that accepts anything may not expect one. */
export function namesStream(accept: string | undefined): boolean {
  return accept !== undefined && streamTypes.test(accept)
}

const streamTypes = /text\/event-stream|application\/x-ndjson/i

/** Checks `Accept` of a GET for a stream of events (406). */
export function judgeEventStream(accept: string | undefined): AdmissionVerdict {
  if (readAccept(accept).eventStream) return admitted
  return refuse('not_acceptable', `Accept must allow text/event-stream, got ${shown(accept)}`)
}

/** Checks `Accept` of a GET for a stream of events or of lines (406). */
export function judgeGet(accept: string | undefined): AdmissionVerdict {
  return prefersNdjson(accept) ? admitted : judgeEventStream(accept)
}

/** The revision that a request names, if it names one. */
export type RevisionVerdict = { readonly ok: true; readonly revision: Revision | undefined } | AdmissionRefusal

const unnamed: RevisionVerdict = { ok: true, revision: undefined }

/**
 * Checks `MCP-Protocol-Version` (400 when the profile accepts no such version). Without the header the session's
 * revision applies, so an absent header is valid; so is a supported revision other than the session's.
 */
export function judgeRevisionHeader(
  header: string | undefined,
  { revisions, versions, stateless }: Pick<Profile, 'revisions' | 'versions' | 'stateless'>,
): RevisionVerdict {
  if (header === undefined) return unnamed
  const revision = header as Revision
  if (revisions.includes(revision) || stateless.includes(revision)) return { ok: true, revision }
  const named = revisionOf(header, { versions })
  if (named !== undefined) return { ok: true, revision: named }
  return refuse(
    'unsupported_version',
    `MCP-Protocol-Version must be one of ${[...stateless, ...revisions].join(', ')}, got ${shown(header)}`,
  )
}

/** `application/json` in any case. JSON has no charset parameter; if there is one, it must be UTF-8. */
function isJson(contentType: string | undefined): boolean {
  if (contentType === mediaTypes.json) return true
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';')
  return (
    type.trim() === mediaTypes.json &&
    parameters.every((parameter) => !/^\s*charset\b/.test(parameter) || /=\s*"?utf-?8"?\s*$/.test(parameter))
  )
}

function shown(header: string | undefined): string {
  return header === undefined ? 'none' : quotedHeader(header)
}

function refuse(situation: AdmissionRefusal['situation'], message: string): AdmissionRefusal {
  return { ok: false, situation, message }
}
