import { isRevision, mediaTypes, type Revision } from '@junctor/protocol'
import { type AdmissionRefusal, admitted, type AdmissionVerdict, shownHeader } from './admission-verdict.ts'

/** The forms of an answer that an `Accept` header allows. */
export interface Accepted {
  readonly json: boolean
  readonly eventStream: boolean
  readonly ndjson: boolean
}

const everything: Accepted = { json: true, eventStream: true, ndjson: true }

/**
 * Reads `Accept` (RFC 9110 section 12.5.1): wildcards, any case, `q=0` excludes, the more exact range wins. Absent or
 * empty allows everything.
 */
export function readAccept(accept: string | undefined): Accepted {
  if (accept === undefined || accept.trim() === '') return everything
  const ranges = new Map<string, boolean>()
  for (const entry of accept.toLowerCase().split(',')) {
    const [range = '', ...parameters] = entry.split(';').map((part) => part.trim())
    ranges.set(range, !parameters.some((parameter) => /^q\s*=\s*0(?:\.0*)?$/.test(parameter)))
  }
  const allows = (type: string): boolean =>
    ranges.get(type) ?? ranges.get(`${type.slice(0, type.indexOf('/'))}/*`) ?? ranges.get('*/*') ?? false
  return {
    json: allows(mediaTypes.json),
    eventStream: allows(mediaTypes.eventStream),
    ndjson: allows(mediaTypes.ndjson),
  }
}

/** What nearly every client sends. */
const usualAccepts: ReadonlySet<string> = new Set([
  `${mediaTypes.json}, ${mediaTypes.eventStream}`,
  `${mediaTypes.eventStream}, ${mediaTypes.json}`,
  '*/*',
])

/** Whether the answer to a POST may come in either form, which a client has to allow (Streamable HTTP, sending). */
export function acceptsJsonAndSse(accept: string | undefined): boolean {
  if (accept !== undefined && usualAccepts.has(accept)) return true
  const accepted = readAccept(accept)
  return accepted.json && accepted.eventStream
}

/** Judges `Content-Type` (415) and `Accept` (406) of a POST with a message in it. */
export function judgePost(contentType: string | undefined, accept: string | undefined): AdmissionVerdict {
  if (!isJson(contentType)) {
    return refuse('unsupported_media_type', `Content-Type must be application/json, got ${shown(contentType)}`)
  }
  if (acceptsJsonAndSse(accept)) return admitted
  return refuse('not_acceptable', `Accept must allow application/json and text/event-stream, got ${shown(accept)}`)
}

/** Judges `Accept` of a GET for a stream of events (406). */
export function judgeGet(accept: string | undefined): AdmissionVerdict {
  if (readAccept(accept).eventStream) return admitted
  return refuse('not_acceptable', `Accept must allow text/event-stream, got ${shown(accept)}`)
}

/** The revision that a request names, if it names one. */
export type RevisionVerdict = { readonly ok: true; readonly revision: Revision | undefined } | AdmissionRefusal

const unnamed: RevisionVerdict = { ok: true, revision: undefined }

/**
 * Judges `MCP-Protocol-Version` (400 when it is not in `supported`). Without it the session's revision counts, so
 * absent is fine; so is a supported revision that is not the session's.
 */
export function judgeRevisionHeader(header: string | undefined, supported: readonly Revision[]): RevisionVerdict {
  if (header === undefined) return unnamed
  if (isRevision(header) && supported.includes(header)) return { ok: true, revision: header }
  return refuse(
    'unsupported_version',
    `MCP-Protocol-Version must be one of ${supported.join(', ')}, got ${shown(header)}`,
  )
}

/** `application/json` in any case; a charset, which JSON does not have, may only repeat that it is UTF-8. */
function isJson(contentType: string | undefined): boolean {
  if (contentType === mediaTypes.json) return true
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';')
  return (
    type.trim() === mediaTypes.json &&
    parameters.every((parameter) => !/^\s*charset\b/.test(parameter) || /=\s*"?utf-?8"?\s*$/.test(parameter))
  )
}

function shown(header: string | undefined): string {
  return header === undefined ? 'none' : shownHeader(header)
}

function refuse(situation: AdmissionRefusal['situation'], message: string): AdmissionRefusal {
  return { ok: false, situation, message }
}
