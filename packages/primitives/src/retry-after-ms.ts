/**
 * `Retry-After` in milliseconds from now (RFC 9110 section 10.2.3): a number of seconds or a date. Undefined when the
 * header is missing or unreadable; 0 for a date that has passed.
 */
export function retryAfterMs(value: string | readonly string[] | undefined, now: number): number | undefined {
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  // A date begins with the name of a day: `Date.parse` alone accepts many other texts.
  if (!/^[A-Z][a-z]+, /.test(text)) return undefined
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
