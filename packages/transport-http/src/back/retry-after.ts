/**
 * `Retry-After` in milliseconds from now (RFC 9110 section 10.2.3): a number of seconds or a date. Undefined when there
 * is none, or none that can be read; a date that has passed is 0.
 */
export function retryAfterMs(value: string | string[] | undefined, now: number): number | undefined {
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  // A date has a name of a day in front: `Date.parse` alone would read half of everything.
  if (!/^[A-Z][a-z]+, /.test(text)) return undefined
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
