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
  if (unreachable !== undefined) return failed(`it does not answer: ${unreachable.kind}`)
  const refusal = chain.find((one) => one instanceof ResponseBodyError)
  if (refusal !== undefined) return failed(/^[a-z_]{1,50}$/.test(refusal.error) ? refusal.error : 'it refuses')
  // This message is from our own code.
  const own = chain.find((one) => one instanceof JunctorError)
  if (own !== undefined) return failed(own.message)
  const code = chain.map((one) => (one as { readonly code?: unknown }).code).find((one) => typeof one === 'string')
  return failed(code ?? (error instanceof Error ? error.name : 'unknown'))
}

function failed(problem: string): ProviderFailure {
  return { kind: 'failed', problem }
}

function causesOf(error: unknown): readonly Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : []
}
