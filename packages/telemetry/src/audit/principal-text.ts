import { parseJson } from '@junctor/jsonrpc'

/**
 * Returns a readable text for a caller, from the key of its principal: `local`, `anonymous`, `key ci`, `user alice of
 * https://idp.example`, `client robot of https://idp.example`. Different callers have different texts, because issuers
 * contain no spaces. A key in another format is returned unchanged.
 */
export function principalText(key: string): string {
  const [issuer, ...words] = wordsOf(key)
  const [first, second] = words
  if (issuer === undefined || first === undefined) return key
  if (second !== undefined) return `${first} ${second} of ${issuer}`
  if (issuer === 'api-key') return `key ${first}`
  return issuer === first ? issuer : `user ${first} of ${issuer}`
}

function wordsOf(key: string): readonly string[] {
  const words = parseJson(key)
  return Array.isArray(words) && words.every((word) => typeof word === 'string') ? words : []
}
