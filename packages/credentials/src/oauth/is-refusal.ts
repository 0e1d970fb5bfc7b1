import { isJsonObject, parseJson } from '@junctor/jsonrpc'

/**
 * Whether an answer is an error and has no token. Some servers send their errors with the status 200, such as GitHub and Slack,
 * where RFC 6749, section 5.2, has 400.
 */
export function isRefusal(text: string): boolean {
  if (!text.includes('"error"')) return false
  const value = parseJson(text)
  return isJsonObject(value) && typeof value['error'] === 'string' && value['access_token'] === undefined
}
