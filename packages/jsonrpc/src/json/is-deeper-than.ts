import { closeBrace, closeBracket, openBrace, openBracket, quote } from './json-characters.ts'
import { skipString } from './json-scan.ts'

/**
 * Whether objects and arrays are nested in more than `limit` levels. The text need not be valid JSON, so the check can
 * run before parsing: `JSON.parse` handles millions of levels, but recursive code on its result does not.
 */
export function isDeeperThan(text: string, limit: number): boolean {
  // Almost every message has fewer brackets than the limit of levels, and counting brackets is five times cheaper.
  if (countBrackets(text, limit) <= limit) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = skipString(text, at) - 1
        break
      case openBrace:
      case openBracket:
        depth++
        if (depth > limit) return true
        break
      case closeBrace:
      case closeBracket:
        depth--
        break
    }
  }
  return false
}

/** Counts opening brackets, including those in strings. Stops counting above `limit`. */
function countBrackets(text: string, limit: number): number {
  let count = 0
  for (let at = text.indexOf('{'); at !== -1 && count <= limit; at = text.indexOf('{', at + 1)) count++
  for (let at = text.indexOf('['); at !== -1 && count <= limit; at = text.indexOf('[', at + 1)) count++
  return count
}
