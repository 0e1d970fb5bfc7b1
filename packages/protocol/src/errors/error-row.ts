/**
 * The table of codes that applies to a peer: that of 2026-07-28 (`modern`), that of JSON-RPC 3.0 (`v3`), or that of the
 * profile of a handshake peer.
 */
export type ErrorColumn = 'mcp' | 'modern' | 'v3' | 'saas' | 'ftl' | 'n8n'

/** One situation in which Junctor itself sends an error. */
export interface ErrorRow {
  /** JSON-RPC 3.0's short name of the situation. */
  readonly title: string
  /** The message when the sender has no more exact one. `: {name}` is replaced, or removed without a name. */
  readonly message: string
  /**
   * Messages of columns whose document prints a different message. One without a name precedes the sender's more exact
   * message.
   */
  readonly wording?: Readonly<Partial<Record<ErrorColumn, string>>>
  readonly codes: Readonly<Record<ErrorColumn, number>>
  /** The HTTP status when the error is the entire HTTP answer. */
  readonly status: number
  /** The HTTP status for peers of 2026-07-28, when it differs from `status`. */
  readonly modernStatus?: number
  /** The request was not run: it may succeed if it is sent again later, unchanged. */
  readonly retryable: boolean
  /** The member of `data` that holds the name of the object of the error. */
  readonly nameMember?: string
  /**
   * In JSON-RPC 2.0 the error has only a code and a message: in all columns, or in the columns whose documents print it
   * so.
   */
  readonly bare?: true | readonly ErrorColumn[]
  /** In these columns `data` has only the name, as their documents print it. */
  readonly onlyNames?: readonly ErrorColumn[]
  /** For the documentation: why the error occurs, and what its receiver can do. */
  readonly cause: string
  readonly nextStep: string
}

/** Returns the same code for every column. */
export function everywhere(code: number): Readonly<Record<ErrorColumn, number>> {
  return { mcp: code, modern: code, v3: code, saas: code, ftl: code, n8n: code }
}
