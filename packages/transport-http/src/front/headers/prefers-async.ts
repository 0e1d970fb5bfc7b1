/** The preference of a client that does not want to wait for the answer (RFC 7240 section 4.1). */
export const respondAsync = 'respond-async'

/** Whether a `Prefer` header contains it, among other preferences and in any case. It has no value. */
export function prefersAsync(prefer: string | undefined): boolean {
  if (prefer === undefined) return false
  return prefer.split(',').some((preference) => (preference.split(';')[0] ?? '').trim().toLowerCase() === respondAsync)
}
