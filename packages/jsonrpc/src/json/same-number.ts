/** A number without its sign, as `0.digits * 10 ** scale`, without zeros at either end of the digits; zero has no digits. */
interface Decimal {
  readonly digits: string
  readonly scale: number
}

/** Whether two numbers, as JSON writes them, are the same number: `1.50` and `15e-1` are. */
export function isSameNumber(one: string, other: string): boolean {
  const [a, b] = [decimalOf(one), decimalOf(other)]
  if (a.digits !== b.digits) return false
  return a.digits === '' || (a.scale === b.scale && one.startsWith('-') === other.startsWith('-'))
}

/** The significant digits of a number, as JSON writes it, and whether it is an integer. */
export function describeNumber(text: string): { readonly digits: number; readonly isInteger: boolean } {
  const { digits, scale } = decimalOf(text)
  return { digits: digits.length, isInteger: digits.length <= scale || digits === '' }
}

function decimalOf(text: string): Decimal {
  const [mantissa = '', exponent = '0'] = text.replace(/^-/, '').split(/[eE]/)
  const point = mantissa.indexOf('.')
  const all = point === -1 ? mantissa : mantissa.slice(0, point) + mantissa.slice(point + 1)
  let start = 0
  let end = all.length
  while (all[start] === '0') start += 1
  while (end > start && all[end - 1] === '0') end -= 1
  return { digits: all.slice(start, end), scale: (point === -1 ? all.length : point) - start + Number(exponent) }
}
