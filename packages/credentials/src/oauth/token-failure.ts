import { HttpRequestError, retryAfterMs } from '@junctor/plugin-sdk/http'
import { JunctorError } from '@junctor/protocol'
import { ResponseBodyError } from 'oauth4webapi'

/** The error of RFC 6749, section 5.2, for which an authorization server issued no token. Undefined: another failure. */
export function oauthErrorOf(error: unknown): string | undefined {
  return error instanceof JunctorError && typeof error.cause === 'string' ? error.cause : undefined
}

/** How long an authorization server wants to be left alone, in milliseconds. Undefined: it has not said. */
export function askedPauseOf(error: unknown): number | undefined {
  const cause = error instanceof JunctorError ? error.cause : undefined
  const { retryAfterMs: asked } = (cause ?? {}) as { readonly retryAfterMs?: unknown }
  return typeof asked === 'number' ? asked : undefined
}

/** Whether an authorization server only cannot answer now. A token that is still good stays in use then. */
function isBusy({ status }: Response): boolean {
  return status === 429 || status >= 500
}

/** The answer that an error of the library is about. */
function answerOf(error: unknown): Response | undefined {
  if (error instanceof ResponseBodyError) return error.response
  return error instanceof Error && error.cause instanceof Response ? error.cause : undefined
}

/** What GitHub and Slack say of a refresh token that is over, in place of `invalid_grant`. */
const ofRefreshToken: ReadonlySet<string> = new Set(['bad_refresh_token', 'invalid_refresh_token'])

/**
 * Runs a request for tokens. Its failures become a JunctorError that has nothing of the answer but the code of its error,
 * because answers have tokens in them.
 */
export async function guardToken<Result>(request: () => Promise<Result>): Promise<Result> {
  try {
    return await request()
  } catch (error) {
    if (error instanceof JunctorError) throw error
    if (error instanceof HttpRequestError) {
      throw new JunctorError('BACKEND_UNREACHABLE', 'The authorization server does not answer', { cause: error })
    }
    const answer = answerOf(error)
    const code = error instanceof ResponseBodyError && /^[a-z_]{1,50}$/.test(error.error) ? error.error : undefined
    if (answer !== undefined && isBusy(answer)) {
      const retry = retryAfterMs(answer.headers.get('retry-after') ?? undefined, Date.now())
      const text = `The authorization server issues no token now (HTTP ${answer.status})`
      throw new JunctorError('BACKEND_UNREACHABLE', text, { cause: { retryAfterMs: retry } })
    }
    const text = `The authorization server issues no token${code === undefined ? '' : `: ${code}`}`
    const cause = code !== undefined && ofRefreshToken.has(code) ? 'invalid_grant' : code
    throw new JunctorError('BACKEND_REFUSED', text, { cause })
  }
}
