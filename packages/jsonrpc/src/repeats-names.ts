import { colon, isSpace, quote } from './json-characters.ts'
import { isEscaped, skipString } from './json-scan.ts'

/**
 * Whether any object in a JSON text has two members of one name, escapes resolved (`"a"` and `"\u0061"` are one).
 * `value` is what `JSON.parse` made of the text: of such members it has one, so that counting tells, whatever the names.
 *
 * Readers differ in which of the two they take. Whoever decides on a value and then passes on its text must refuse
 * such a text, or the next reader may see another value.
 */
export function repeatsNames(text: string, value: unknown): boolean {
  const members = countMembers(value)
  // Nearly always the first count tells, at a fraction of the cost: it looks at colons alone.
  return countLikelyNames(text) !== members && countNames(text) !== members
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const item of value as readonly unknown[]) if (typeof item === 'object') count += countMembers(item)
    return count
  }
  // Not Object.keys: what was parsed inherits nothing that this would find, and making the lists costs more than this.
  for (const name in value) {
    count++
    const member = (value as Readonly<Record<string, unknown>>)[name]
    if (typeof member === 'object') count += countMembers(member)
  }
  return count
}

/** Colons after a quote that is not escaped: those after names, and those that a string begins with. */
function countLikelyNames(text: string): number {
  let count = 0
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) {
    let before = at - 1
    while (isSpace(text.charCodeAt(before))) before--
    if (text.charCodeAt(before) === quote && !isEscaped(text, before)) count++
  }
  return count
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
