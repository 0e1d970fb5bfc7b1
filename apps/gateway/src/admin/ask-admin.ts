import { isJsonObject, type JsonValue } from '@junctor/jsonrpc'
import type { Failure } from '@junctor/command'
import type { AdminPlace } from './admin-place.ts'

/** The answer of the admin port, or why there is none. */
export type AdminAnswer =
  | { readonly kind: 'answer'; readonly response: Response; readonly url: string }
  /** `lost`: a later attempt may succeed. */
  | { readonly kind: 'failed'; readonly lost: boolean; readonly failure: Failure }

/** Sends a request to the admin port of a running gateway. Never rejects. */
export async function askAdmin({ url, token }: AdminPlace, path: string, signal: AbortSignal): Promise<AdminAnswer> {
  try {
    const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` }, signal })
    if (response.ok) return { kind: 'answer', response, url }
    return refusal(url, response.status, messageIn(await response.text()))
  } catch (error) {
    const next = 'Start the gateway, or name its admin port with --admin.'
    return failed(true, `nothing answers at ${url}: ${causeOf(error)}`, next)
  }
}

function refusal(url: string, status: number, message: string | undefined): AdminAnswer {
  const detail = message === undefined ? '' : `: ${message}`
  if (status === 401 && message?.includes('not set') === true) {
    return failed(false, `${url} answers no queries${detail}`, 'Set listen.admin.token and start the gateway again.')
  }
  if (status === 401) {
    const next = 'Give that of listen.admin.token with --token, or in the variable JUNCTOR_ADMIN_TOKEN.'
    return failed(false, `${url} expects another token`, next)
  }
  if (status === 400)
    return failed(false, `the question cannot be answered${detail}`, 'Correct the words of the command.')
  if (status === 404) {
    const next = 'Correct --admin: it is the address of listen.admin, not the one for clients, and without a path.'
    return failed(false, `${url} is not an admin port${detail}`, next)
  }
  return failed(status >= 500, `${url} answered with HTTP ${status}${detail}`, 'Look at the log of the gateway.')
}

/** The message in the body of a refusal. `undefined`: it has none. */
function messageIn(body: string): string | undefined {
  try {
    const value = JSON.parse(body) as JsonValue
    const message = isJsonObject(value) ? value['message'] : undefined
    return typeof message === 'string' ? message : undefined
  } catch {
    return undefined
  }
}

/** The message of the connection error, which fetch reports as the cause of its own error. */
function causeOf(error: unknown): string {
  const { message, cause } = error as Error
  const { message: inner, code } = (cause ?? {}) as NodeJS.ErrnoException
  return inner || code || message
}

function failed(lost: boolean, message: string, next: string): AdminAnswer {
  return { kind: 'failed', lost, failure: { message, next } }
}
