import { backslash, colon, isSpace, quote } from './json-characters.ts'
import { isEscaped, skipString } from './json-scan.ts'

/**
 * Whether any object in a JSON text has two members of one name, with escapes resolved (`"a"` and `"\u0061"` are
 * equal). `value` is the result of `JSON.parse` for the text: it keeps only one of such members, so counting members is
 * enough.
 *
 * Parsers differ in which of the two they use. Code that decides on a value and then passes on its text must refuse
 * such a text, or the next parser may see another value.
 */
export function repeatsNames(text: string, value: unknown): boolean {
  const members = countMembers(value)
  // In almost all cases the first count decides, at a fraction of the cost: it only looks at colons.
  return countLikelyNames(text) !== members && countNames(text) !== members
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const item of value as readonly unknown[]) if (typeof item === 'object') count += countMembers(item)
    return count
  }
  // `Object.keys` is not used: a parsed value inherits no enumerable members, and creating the lists costs more than
  // this.
  for (const name in value) {
    count++
    const member = (value as Readonly<Record<string, unknown>>)[name]
    if (typeof member === 'object') count += countMembers(member)
  }
  return count
}

/** Counts colons after an unescaped quote: those after names, and those at the beginning of a string. */
function countLikelyNames(text: string): number {
  let count = 0
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) {
    // Nearly every name is directly before its colon, and does not end with an escaped character.
    const isUsual = text.charCodeAt(at - 1) === quote && text.charCodeAt(at - 2) !== backslash
    if (isUsual || followsQuote(text, at)) count++
  }
  return count
}

/** Whether an unescaped quote, and then only whitespace, is before the character at `at`. */
function followsQuote(text: string, at: number): boolean {
  let before = at - 1
  while (isSpace(text.charCodeAt(before))) before--
  return text.charCodeAt(before) === quote && !isEscaped(text, before)
}

function countNames(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = skipString(text, at) - 1
    else if (code === colon) count++
  }
  return count
}
