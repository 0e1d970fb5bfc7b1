import { stripVTControlCharacters } from 'node:util'

const shownCharacters = 300

/** Text of others as one line that a terminal can be given. */
export function printable(text: string): string {
  const shown = stripVTControlCharacters(text)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
  return shown.length > shownCharacters ? `${shown.slice(0, shownCharacters)}…` : shown
}
