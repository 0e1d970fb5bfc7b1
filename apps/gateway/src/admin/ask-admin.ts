import { type JsonObject, type JsonValue, memberOf, parseJson } from '@junctor/jsonrpc'
import { mediaTypes } from '@junctor/protocol'
import type { Failure } from '@junctor/command'
import { type ExitCode, exitCodes } from '@junctor/command/exit'
import type { AdminEndpoint } from './admin-endpoint.ts'

/** The answer of the admin port, or why there is none. */
export type AdminAnswer =
  | { readonly kind: 'answer'; readonly response: Response; readonly url: string }
  /** `lost`: a later attempt may succeed. `code`: whether the gateway refuses a word of the command line. */
  | { readonly kind: 'failed'; readonly lost: boolean; readonly failure: Failure; readonly code: ExitCode }

/** A request that changes something. */
export interface AdminRequest {
  readonly method: 'PUT' | 'DELETE'
  /** The entry of a backend. */
  readonly body?: JsonObject
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends a request to the admin port of a running gateway: a GET, unless `request` is another. Never rejects. */
export async function askAdmin(
  { url, token }: AdminEndpoint,
  path: string,
  signal: AbortSignal,
  request?: AdminRequest,
): Promise<AdminAnswer> {
  try {
    const response = await fetch(`${url}${path}`, {
      method: request?.method ?? 'GET',
      headers: {
        authorization: `Bearer ${token}`,
        ...(request?.body !== undefined && { 'content-type': mediaTypes.json }),
        ...request?.headers,
      },
      ...(request?.body !== undefined && { body: JSON.stringify(request.body) }),
      signal,
    })
    if (response.ok) return { kind: 'answer', response, url }
    return refusal(url, response.status, refusedIn(await response.text()))
  } catch (error) {
    const next = 'Start the gateway, or name its admin port with --admin.'
    return failed(true, `nothing answers at ${url}: ${causeOf(error)}`, next)
  }
}

function refusal(url: string, status: number, { error, message, next }: Refused): AdminAnswer {
  const detail = message === undefined ? '' : `: ${message}`
  if (status === 401 && message?.includes('not set') === true) {
    return failed(false, `${url} answers no queries${detail}`, 'Set listen.admin.token and start the gateway again.')
  }
  if (status === 401) {
    const wanted = 'Give that of listen.admin.token with --token, or in the variable JUNCTOR_ADMIN_TOKEN.'
    return failed(false, `${url} expects another token`, wanted)
  }
  const known = error === undefined || !Object.hasOwn(nextSteps, error) ? undefined : nextSteps[error]
  const code = status === 400 || error === 'unknown_tenant' ? exitCodes.usage : exitCodes.failed
  const step = next ?? known
  if (message !== undefined && step !== undefined) return failed(false, message, step, code)
  if (status === 400) return failed(false, message ?? `${url} refuses the request`, 'Correct it.', code)
  if (status === 404) {
    const other = 'Correct --admin: it is the address of listen.admin, not the one for clients, and without a path.'
    return failed(false, `${url} is not an admin port${detail}`, other)
  }
  return failed(status >= 500, `${url} answered with HTTP ${status}${detail}`, 'Look at the log of the gateway.')
}

/** What can be done about a refusal, by its `error`. */
const nextSteps: Readonly<Record<string, string>> = {
  unknown_backend: 'See the names with: junctor backend list.',
  unknown_tenant: 'See the tenants with: junctor status.',
  backend_of_the_file: 'A running gateway applies changes of its file.',
  precondition_failed: 'See what is there with "junctor backend list": "add" is for new names, "change" for others.',
  backend_refused: 'Nothing was changed. Correct its description.',
  too_many: 'Remove some, or write them in the configuration file.',
}

/** What the body of a refusal says. */
interface Refused {
  readonly error: string | undefined
  readonly message: string | undefined
  /** What can be done about the first problem. */
  readonly next: string | undefined
}

function refusedIn(body: string): Refused {
  const value = parseJson(body)
  const problems = memberOf(value, 'problems')
  const [first] = Array.isArray(problems) ? problems : []
  return {
    error: textOf(memberOf(value, 'error')),
    message: textOf(memberOf(value, 'message')),
    next: textOf(memberOf(first, 'next')),
  }
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** The message of the connection error, which fetch reports as the cause of its own error. */
function causeOf(error: unknown): string {
  const { message, cause } = error as Error
  const { message: inner, code } = (cause ?? {}) as NodeJS.ErrnoException
  return inner || code || message
}

function failed(lost: boolean, message: string, next: string, code: ExitCode = exitCodes.failed): AdminAnswer {
  return { kind: 'failed', lost, failure: { message, next }, code }
}
