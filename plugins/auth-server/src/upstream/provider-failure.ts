import { HttpRequestError } from '@junctor/plugin-sdk/http'
import { JunctorError } from '@junctor/plugin-sdk/link'
import { ResponseBodyError } from 'openid-client'

/** A provider does not answer, or its answer is wrong. */
export interface ProviderFailure {
  readonly kind: 'failed'
  /** A text for the log. It contains nothing of the provider's answers except error codes. */
  readonly problem: string
}

/** An error whose message is logged, because it contains nothing of an answer. */
export function misconfigured(problem: string): JunctorError {
  return new JunctorError('BACKEND_REFUSED', problem)
}

/**
 * Describes an error of the library for the log. Causes of these errors contain answers with tokens, so neither the errors
 * nor their causes are logged.
 */
export function failureOf(error: unknown): ProviderFailure {
  const chain = causesOf(error)
  const unreachable = chain.find((one) => one instanceof HttpRequestError)
  if (unreachable !== undefined) return failed(`it does not answer: ${unreachable.message}`)
  const refusal = chain.find((one) => one instanceof ResponseBodyError)
  if (refusal !== undefined) return failed(/^[a-z_]{1,50}$/.test(refusal.error) ? refusal.error : 'it refuses')
  // This message is from our own code.
  const own = chain.find((one) => one instanceof JunctorError)
  if (own !== undefined) return failed(own.message)
  const coded = chain.find(({ code }) => typeof code === 'string')
  if (typeof coded?.code !== 'string') return failed(error instanceof Error ? error.name : 'unknown')
  const words = codeWords.get(coded.code)
  if (words === undefined) return failed(coded.code)
  const status = coded.cause instanceof Response ? `, HTTP ${coded.cause.status}` : ''
  return failed(`${words} (${coded.code}${status})`)
}

/** What the codes of the library mean that a provider causes, rather than this server. */
const codeWords: ReadonlyMap<string, string> = new Map([
  ['OAUTH_RESPONSE_IS_NOT_CONFORM', 'it answers with an unexpected status'],
  ['OAUTH_RESPONSE_IS_NOT_JSON', 'its answer is not JSON'],
  ['OAUTH_PARSE_ERROR', 'its answer is not JSON'],
  ['OAUTH_INVALID_RESPONSE', 'its answer lacks something, or has it in a wrong form'],
  ['OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED', 'its metadata are of another issuer, or its userinfo of another person'],
  ['OAUTH_KEY_SELECTION_FAILED', 'none of its keys fits its ID token, or several do'],
  ['OAUTH_JWT_CLAIM_COMPARISON_FAILED', 'its ID token is for another client, login or issuer'],
  ['OAUTH_JWT_TIMESTAMP_CHECK_FAILED', 'its ID token is too old, or of the future: compare the clocks'],
])

function failed(problem: string): ProviderFailure {
  return { kind: 'failed', problem }
}

/** An error of the library has a code. */
interface Coded extends Error {
  readonly code?: unknown
}

function causesOf(error: unknown): readonly Coded[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : []
}
