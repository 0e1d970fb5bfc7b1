import type { Failure } from '@junctor/command'

/** A result for a command line that cannot be used: what is wrong with it, and what to write. */
export function misused(message: string, next: string): { readonly kind: 'misused'; readonly failure: Failure } {
  return { kind: 'misused', failure: { message, next } }
}
