import { closeBrace, closeBracket, colon, openBrace, openBracket, quote } from './json-characters.ts'
import { readName, skipSpace, skipString } from './json-scan.ts'

/**
 * Whether any object in a valid JSON text has two members of one name, escapes resolved (`"a"` and `"\u0061"` are one).
 *
 * Readers differ in which of the two they take. Whoever decides on a value and then passes on its text must refuse
 * such a text, or the next reader may see another value. A payload without a text has nothing to check: what
 * `JSON.parse` took is all that is passed on.
 */
export function hasDuplicateKeys(text: string): boolean {
  // The names of each open object; undefined for an array, and for an object that has no member yet.
  const open: (Set<string> | undefined)[] = []
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case openBrace:
      case openBracket:
        open.push(undefined)
        break
      case closeBrace:
      case closeBracket:
        open.pop()
        break
      case quote: {
        const end = skipString(text, at)
        if (text.charCodeAt(skipSpace(text, end)) === colon && !addName(open, readName(text, at, end))) return true
        at = end - 1
        break
      }
    }
  }
  return false
}

function addName(open: (Set<string> | undefined)[], name: string): boolean {
  const names = open.at(-1)
  if (names === undefined) {
    open[open.length - 1] = new Set([name])
    return true
  }
  if (names.has(name)) return false
  names.add(name)
  return true
}
