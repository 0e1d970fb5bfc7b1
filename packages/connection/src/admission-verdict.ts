import type { Situation } from '@junctor/protocol'

/** Why a request is refused before its body is read. */
export interface AdmissionRefusal {
  readonly ok: false
  readonly situation: Extract<
    Situation,
    'origin_refused' | 'invalid_request' | 'unsupported_media_type' | 'not_acceptable' | 'unsupported_version'
  >
  /** What was expected and what was received. */
  readonly message: string
}

/** Whether a request is admitted. */
export type AdmissionVerdict = { readonly ok: true } | AdmissionRefusal

/** The verdict for every admitted request. */
export const admitted: AdmissionVerdict = { ok: true }

/** The number of characters of a header that an error message repeats. */
const shownCharacters = 100

/** Formats the value of a header for an error message: quoted, and truncated when it is long. */
export function quotedHeader(value: string): string {
  return JSON.stringify(value.length > shownCharacters ? `${value.slice(0, shownCharacters)}...` : value)
}
