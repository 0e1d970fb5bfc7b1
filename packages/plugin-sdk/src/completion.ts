import type { RequestContext } from './request-context.ts'

/** The largest number of values in one answer (specification: CompleteResult). */
const most = 100

/**
 * Proposes values for an argument while a person types it. `value` is the text typed so far, `chosen` the arguments
 * that already have values (2025-06-18 and later; empty for older clients). Return the best values first; at most 100
 * are sent.
 */
export type Complete = (
  value: string,
  chosen: Readonly<Record<string, string>>,
  context: RequestContext,
) => readonly string[] | Promise<readonly string[]>

/** The result of `completion/complete` for these proposals. */
export function toCompleteResult(values: readonly string[]): {
  readonly completion: { readonly values: readonly string[]; readonly total: number; readonly hasMore: boolean }
} {
  return { completion: { values: values.slice(0, most), total: values.length, hasMore: values.length > most } }
}
