import {
  backslash,
  closeBrace,
  closeBracket,
  comma,
  isSpace,
  openBrace,
  openBracket,
  quote,
} from './json-characters.ts'

// Locates the parts of a JSON text without creating their values. The text must be valid. On any other text every
// function terminates, but its result is meaningless, and unreadable names throw a SyntaxError.

/** One member of an object: its name, and the positions of its parts in the text. */
export interface ScannedMember {
  /** The name without quotes and escapes. */
  readonly name: string
  /** The start of the quoted name. */
  readonly nameStart: number
  /** The start of the value. */
  readonly start: number
  /** The position after the last character of the value. */
  readonly end: number
}

/**
 * Returns the members of the object in a text, in order, including duplicates. Returns none when the text is not an
 * object.
 */
export function scanMembers(text: string): ScannedMember[] {
  const members: ScannedMember[] = []
  let at = skipSpace(text, 0)
  if (text.charCodeAt(at) !== openBrace) return members
  at = skipSpace(text, at + 1)
  while (text.charCodeAt(at) === quote) {
    const nameEnd = skipString(text, at)
    const start = skipSpace(text, skipSpace(text, nameEnd) + 1)
    const end = skipValue(text, start)
    members.push({ name: readName(text, at, nameEnd), nameStart: at, start, end })
    at = skipSpace(text, skipSpace(text, end) + 1)
  }
  return members
}

/** Returns the text of each member by name. Of duplicates the last one is used, as in `JSON.parse`. */
export function memberTexts(text: string): Map<string, string> {
  return textsOf(text, scanMembers(text))
}

/** Returns the text of each scanned member by name. */
export function textsOf(text: string, members: readonly ScannedMember[]): Map<string, string> {
  const texts = new Map<string, string>()
  for (const { name, start, end } of members) texts.set(name, text.slice(start, end))
  return texts
}

/** Returns the text of each element of the array in a text. Returns none when the text is not an array. */
export function itemTexts(text: string): string[] {
  const items: string[] = []
  let at = skipSpace(text, 0)
  if (text.charCodeAt(at) !== openBracket) return items
  at = skipSpace(text, at + 1)
  while (at < text.length && text.charCodeAt(at) !== closeBracket) {
    const end = skipValue(text, at)
    items.push(text.slice(at, end))
    at = skipSpace(text, end)
    if (text.charCodeAt(at) !== comma) break
    at = skipSpace(text, at + 1)
  }
  return items
}

/** Returns the index after the string whose opening quote is at `at`. */
export function skipString(text: string, at: number): number {
  let end = text.indexOf('"', at + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end + 1
}

/** Returns the index of the first character from `at` on that is not insignificant whitespace. */
function skipSpace(text: string, at: number): number {
  let index = at
  while (isSpace(text.charCodeAt(index))) index++
  return index
}

/** Returns the name whose quoted text is between `start` and `end`. */
function readName(text: string, start: number, end: number): string {
  const name = text.slice(start + 1, end - 1)
  return name.includes('\\') ? (JSON.parse(text.slice(start, end)) as string) : name
}

/** Whether the character at `at` follows an odd number of backslashes. */
export function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text.charCodeAt(first - 1) === backslash) first--
  return (at - first) % 2 === 1
}

function skipValue(text: string, start: number): number {
  const first = text.charCodeAt(start)
  if (first === quote) return skipString(text, start)
  if (first === openBrace || first === openBracket) return skipNested(text, start)
  let at = start
  while (at < text.length && !endsScalar(text.charCodeAt(at))) at++
  return at
}

function skipNested(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = skipString(text, at) - 1
        break
      case openBrace:
      case openBracket:
        depth++
        break
      case closeBrace:
      case closeBracket:
        depth--
        if (depth === 0) return at + 1
        break
    }
  }
  return text.length
}

function endsScalar(code: number): boolean {
  return code === comma || code === closeBrace || code === closeBracket || isSpace(code)
}
