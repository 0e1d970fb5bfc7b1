import { describeNumber, isSameNumber } from './same-number.ts'

/** The most digits that `toPrecision` writes. */
const mostDigits = 100

/** What becomes of a number in a program that has only doubles. */
export type HeldNumber =
  | { readonly kind: 'held' }
  /** It is too large for a double, which would be infinite. */
  | { readonly kind: 'too_large' }
  /** It becomes another number, as JavaScript writes it. */
  | { readonly kind: 'changed'; readonly becomes: string }

/**
 * Judges whether a number, as JSON writes it, stays the same number in a double. An integer does when JavaScript writes it
 * with the same digits. Of a fraction, which is usually the text of a double, only the digits that are there are compared:
 * 0.1 and 0.10000000000000001 are both the same double.
 */
export function holdsNumber(text: string): HeldNumber {
  const value = Number(text)
  if (!Number.isFinite(value)) return { kind: 'too_large' }
  if (isSameNumber(text, String(value))) return { kind: 'held' }
  const { digits, isInteger } = describeNumber(text)
  const isRounded = !isInteger && isSameNumber(text, value.toPrecision(Math.min(digits, mostDigits)))
  return isRounded ? { kind: 'held' } : { kind: 'changed', becomes: String(value) }
}
