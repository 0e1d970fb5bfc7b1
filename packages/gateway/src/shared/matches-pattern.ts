import { hasOrderedLiterals } from './ordered-literals.ts'

/** Whether `text` matches a pattern in which `*` matches any characters. */
export function matchesPattern(pattern: string, text: string): boolean {
  const star = pattern.indexOf('*')
  if (star === -1) return text === pattern
  // Most patterns end in their only wildcard.
  if (star === pattern.length - 1) return text.startsWith(pattern.slice(0, star))
  return hasOrderedLiterals(pattern.split('*'), text)
}
