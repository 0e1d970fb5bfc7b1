import { closeBrace, closeBracket, openBrace, openBracket, quote } from './json-characters.ts'
import { skipString } from './json-scan.ts'

/**
 * Whether objects and arrays are nested in more levels than `limit`. Needs no valid JSON, so it can be asked before
 * parsing: `JSON.parse` survives millions of levels, what works on its result does not.
 */
export function isDeeperThan(text: string, limit: number): boolean {
  // Nearly every message has fewer brackets than it may have levels, and counting them is five times cheaper.
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

/** Opening brackets, those in strings included. Stops counting beyond `limit`. */
function countBrackets(text: string, limit: number): number {
  let count = 0
  for (let at = text.indexOf('{'); at !== -1 && count <= limit; at = text.indexOf('{', at + 1)) count++
  for (let at = text.indexOf('['); at !== -1 && count <= limit; at = text.indexOf('[', at + 1)) count++
  return count
}
