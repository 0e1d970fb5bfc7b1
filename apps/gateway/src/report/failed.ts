import type { Failure } from '@junctor/command'

/** A result that is a failure: what went wrong, and what to do. */
export function failed(message: string, next: string): { readonly kind: 'failed'; readonly failure: Failure } {
  return { kind: 'failed', failure: { message, next } }
}
