import { printableLines } from '@junctor/primitives'

/** A value as indented JSON, for standard output. No character of it can change the terminal. */
export function jsonText(value: unknown): string {
  return `${printableLines(JSON.stringify(value, null, 2))}\n`
}
