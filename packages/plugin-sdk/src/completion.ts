import type { RequestContext } from './request-context.ts'

/** What a client may be proposed at once (specification: CompleteResult). */
const most = 100

/**
 * Proposes values for an argument that someone is typing. `value` is what is there already, `chosen` the arguments that
 * have been given (2025-06-18 on; empty for older clients). The best come first; at most 100 are sent.
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
