import { hasOrderedLiterals } from './ordered-literals.ts'

/** Whether `text` matches a pattern in which `*` matches any characters. */
export function matchesPattern(pattern: string, text: string): boolean {
  return hasOrderedLiterals(pattern.split('*'), text)
}
