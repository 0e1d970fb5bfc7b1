import type { Situation } from '@junctor/protocol'

/** Why a request is turned away before its body is read. */
export interface AdmissionRefusal {
  readonly ok: false
  readonly situation: Extract<
    Situation,
    'origin_refused' | 'invalid_request' | 'unsupported_media_type' | 'not_acceptable' | 'unsupported_version'
  >
  /** What was expected and what came. */
  readonly message: string
}

/** Whether a request may come in. */
export type AdmissionVerdict = { readonly ok: true } | AdmissionRefusal

/** The one way in. */
export const admitted: AdmissionVerdict = { ok: true }

/** As much of a header as an error message repeats. */
const SHOWN_CHARACTERS = 100

/** A header's value for an error message: in quotes, and cut when it is long. */
export function shownHeader(value: string): string {
  return JSON.stringify(value.length > SHOWN_CHARACTERS ? `${value.slice(0, SHOWN_CHARACTERS)}...` : value)
}
