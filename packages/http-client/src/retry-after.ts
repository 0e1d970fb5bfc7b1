/**
 * The pause that a `Retry-After` header asks for, in milliseconds from `now` (RFC 9110, section 10.2.3); `undefined`:
 * there is none, or it is unreadable.
 */
export function retryAfterMs(header: string | readonly string[] | undefined, now: number): number | undefined {
  if (typeof header !== 'string') return undefined
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
