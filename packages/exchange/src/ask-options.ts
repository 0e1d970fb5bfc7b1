/** Options of a request to the client. */
export interface AskOptions {
  /**
   * The time that the client has to answer, in milliseconds. Default: that of the host, one minute, because people
   * answer elicitations.
   */
  readonly timeoutMs?: number
  /** Withdraws the request: the client gets `notifications/cancelled`, the asker an error. */
  readonly signal?: AbortSignal
  /**
   * The transport could not identify the request that caused this ask. It is shown on the newest one, and outlives it.
   */
  readonly guessed?: boolean
}
