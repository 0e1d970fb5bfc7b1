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

// Finds the parts of a JSON text without making values of them. The text is expected to be valid: on any other text
// every function ends, but what it finds means nothing, and names that cannot be read are thrown as SyntaxError.

/** One member of an object: its name, and where its parts stand in the text. */
export interface ScannedMember {
  /** The name without quotes and escapes. */
  readonly name: string
  /** Where the quoted name begins. */
  readonly nameStart: number
  /** Where the value begins. */
  readonly start: number
  /** After the last character of the value. */
  readonly end: number
}

/** The members of the object that a text holds, in order, duplicates included. None when it holds something else. */
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

/** The text of each member by name. Of duplicates the last one counts, as it does for `JSON.parse`. */
export function memberTexts(text: string): Map<string, string> {
  return textsOf(text, scanMembers(text))
}

/** The text of each of the members that were found in a text, by name. */
export function textsOf(text: string, members: readonly ScannedMember[]): Map<string, string> {
  const texts = new Map<string, string>()
  for (const { name, start, end } of members) texts.set(name, text.slice(start, end))
  return texts
}

/** The text of each element of the array that a text holds. None when it holds something else. */
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

/** The index after the string whose opening quote is at `at`. */
export function skipString(text: string, at: number): number {
  let end = text.indexOf('"', at + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end + 1
}

/** The index of the first character from `at` on that is not insignificant whitespace. */
function skipSpace(text: string, at: number): number {
  let index = at
  while (isSpace(text.charCodeAt(index))) index++
  return index
}

/** The name whose quoted text goes from `start` to `end`. */
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
