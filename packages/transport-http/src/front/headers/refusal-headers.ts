import { isJsonObject, memberOf, parseJson } from '@junctor/jsonrpc'
import type { ResponseHeaders } from './cors.ts'
import { retryHeaders } from './retry-headers.ts'
import { scopeChallenge } from './scope-challenge.ts'

/** The errors of the gateway itself are short. Others are not read. */
const longestError = 4096

/**
 * The headers of a refusal that repeat its error: when to retry, or which token is needed. `undefined`: there are none.
 * Only errors of the gateway itself have such a status.
 */
export function refusalHeaders(status: number, text: string): ResponseHeaders | undefined {
  if (status === 429 || status === 503) return retryHeaders(dataOf(text))
  return status === 403 ? scopeChallenge(dataOf(text)) : undefined
}

function dataOf(text: string): Readonly<Record<string, unknown>> {
  if (text === '' || text.length > longestError) return {}
  const error = memberOf(parseJson(text), 'error')
  const data = memberOf(error, 'data')
  return isJsonObject(data) ? data : {}
}
