/**
 * Whether something has happened so recently. What seems to be to come has not: the clock was set back, or the one of
 * another node is ahead, and it would count as recent for as long.
 *
 * @param at when it has happened, in epoch milliseconds
 */
export function isWithin(ms: number, at: number, now: number): boolean {
  const since = now - at
  return since >= 0 && since < ms
}
