import { isJsonObject, type JsonValue } from '@junctor/jsonrpc'
import type { Failure } from '@junctor/command'
import type { AdminPlace } from './admin-place.ts'

/** What the admin port answered, or why it did not. */
export type AdminAnswer =
  | { readonly kind: 'answer'; readonly response: Response }
  /** `lost`: trying again later may help. */
  | { readonly kind: 'failed'; readonly lost: boolean; readonly failure: Failure }

/** Asks the admin port of a running gateway. Never rejects. */
export async function askAdmin({ url, token }: AdminPlace, path: string, signal: AbortSignal): Promise<AdminAnswer> {
  try {
    const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` }, signal })
    if (response.ok) return { kind: 'answer', response }
    return refusal(url, response.status, said(await response.text()))
  } catch (error) {
    const next = 'Start the gateway, or name its admin port with --admin.'
    return failed(true, `nothing answers at ${url}: ${causeOf(error)}`, next)
  }
}

function refusal(url: string, status: number, message: string | undefined): AdminAnswer {
  const told = message === undefined ? '' : `: ${message}`
  if (status === 401 && message?.includes('not set') === true) {
    return failed(false, `${url} tells nobody${told}`, 'Set listen.admin.token and start the gateway again.')
  }
  if (status === 401) {
    const next = 'Give that of listen.admin.token with --token, or in the variable JUNCTOR_ADMIN_TOKEN.'
    return failed(false, `${url} wants another token`, next)
  }
  if (status === 400)
    return failed(false, `the question cannot be answered${told}`, 'Correct the words of the command.')
  if (status === 404) {
    const next = 'Correct --admin: it is the address of listen.admin, not the one for clients, and without a path.'
    return failed(false, `${url} is no admin port${told}`, next)
  }
  return failed(status >= 500, `${url} answered with HTTP ${status}${told}`, 'Look at the log of the gateway.')
}

/** What the body of a refusal says. */
function said(body: string): string | undefined {
  try {
    const value = JSON.parse(body) as JsonValue
    const message = isJsonObject(value) ? value['message'] : undefined
    return typeof message === 'string' ? message : undefined
  } catch {
    return undefined
  }
}

/** The connection's own words, which fetch puts below its own. */
function causeOf(error: unknown): string {
  const { message, cause } = error as Error
  const { message: inner, code } = (cause ?? {}) as NodeJS.ErrnoException
  return inner || code || message
}

function failed(lost: boolean, message: string, next: string): AdminAnswer {
  return { kind: 'failed', lost, failure: { message, next } }
}
