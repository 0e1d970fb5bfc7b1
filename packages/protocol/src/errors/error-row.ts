/**
 * Whose table of codes applies to a peer: 2026-07-28's (`modern`), JSON-RPC 3.0's (`v3`), or that of a handshake
 * peer's profile.
 */
export type ErrorColumn = 'mcp' | 'modern' | 'v3' | 'saas' | 'ftl' | 'n8n'

/** One situation in which Junctor itself sends an error. */
export interface ErrorRow {
  /** JSON-RPC 3.0's short name of the situation. */
  readonly title: string
  /** What is said when the sender has nothing more exact to say. `: {name}` is filled in or left out. */
  readonly message: string
  /** Where a column's document prints another message. */
  readonly wording?: Readonly<Partial<Record<ErrorColumn, string>>>
  readonly codes: Readonly<Record<ErrorColumn, number>>
  /** The HTTP status when the error is the whole HTTP answer. */
  readonly status: number
  /** The HTTP status towards 2026-07-28, where it is another one. */
  readonly modernStatus?: number
  /** The request was not run: sent again later, unchanged, it may succeed. */
  readonly retryable: boolean
  /** The member of `data` that holds the name of what the error is about. */
  readonly nameMember?: string
  /** In JSON-RPC 2.0 the error is code and message and nothing else: for everybody, or in columns whose documents print it so. */
  readonly bare?: true | readonly ErrorColumn[]
  /** For the documentation: why it happens, and what whoever sees it can do. */
  readonly cause: string
  readonly nextStep: string
}

/** The same code in every column. */
export function everywhere(code: number): Readonly<Record<ErrorColumn, number>> {
  return { mcp: code, modern: code, v3: code, saas: code, ftl: code, n8n: code }
}
