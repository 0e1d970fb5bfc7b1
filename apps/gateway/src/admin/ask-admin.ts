import type { Failure } from '../report/report.ts'
import type { AdminPlace } from './admin-place.ts'

/** What the admin port answered, or why it did not. */
export type AdminAnswer =
  | { readonly kind: 'answer'; readonly response: Response }
  /** `lost`: trying again later may help. */
  | { readonly kind: 'failed'; readonly lost: boolean; readonly failure: Failure }

/** Asks the admin port of a running gateway. Never rejects. */
export async function askAdmin(place: AdminPlace, path: string, signal: AbortSignal): Promise<AdminAnswer> {
  let response: Response
  try {
    response = await fetch(`${place.url}${path}`, { headers: { authorization: `Bearer ${place.token}` }, signal })
  } catch (error) {
    return failed(
      true,
      `nothing answers at ${place.url}: ${causeOf(error)}`,
      'Start the gateway, or name its admin port with --admin.',
    )
  }
  if (response.ok) return { kind: 'answer', response }
  const said = await response.text()
  if (response.status === 401) {
    return failed(
      false,
      `${place.url} wants another token`,
      'Give the one of listen.admin.token with --token, or in the variable JUNCTOR_ADMIN_TOKEN.',
    )
  }
  return failed(
    response.status >= 500,
    `${place.url}${path.split('?')[0]} answered ${response.status}: ${said.slice(0, 300)}`,
    'Check --admin, and the words after the command.',
  )
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause as Error | undefined) : undefined
  return cause?.message ?? (error instanceof Error ? error.message : String(error))
}

function failed(lost: boolean, message: string, next: string): AdminAnswer {
  return { kind: 'failed', lost, failure: { message, next } }
}
