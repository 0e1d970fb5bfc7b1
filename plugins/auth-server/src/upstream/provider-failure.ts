import { HttpRequestError } from '@junctor/plugin-sdk/http'
import { JunctorError } from '@junctor/plugin-sdk/link'
import { ResponseBodyError } from 'openid-client'

/** A provider does not answer, or answers something that is not right. */
export interface ProviderFailure {
  readonly kind: 'failed'
  /** For the log. It has nothing of the provider's answers but codes. */
  readonly problem: string
}

/** An error whose message is shown: it has nothing of an answer. */
export function misconfigured(problem: string): JunctorError {
  return new JunctorError('BACKEND_REFUSED', problem)
}

/**
 * What is known of an error of the library. Its errors have answers, with tokens, in their causes: neither they nor their
 * causes reach a log.
 */
export function failureOf(error: unknown): ProviderFailure {
  const chain = causesOf(error)
  const unreachable = chain.find((one) => one instanceof HttpRequestError)
  if (unreachable !== undefined) return failed(`it does not answer: ${unreachable.kind}`)
  const refusal = chain.find((one) => one instanceof ResponseBodyError)
  if (refusal !== undefined) return failed(/^[a-z_]{1,50}$/.test(refusal.error) ? refusal.error : 'it refuses')
  // Its message is our own.
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
