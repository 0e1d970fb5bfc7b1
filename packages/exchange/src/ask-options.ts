/** Options of a call of another tool. */
export interface ToolCallOptions {
  /** The most time for the call, in milliseconds. Default: the time that the caller's own request has left. */
  readonly timeoutMs?: number
  /** Cancels the call. */
  readonly signal?: AbortSignal
}

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
   * The transport could not identify the request that caused this ask. It is shown on the newest one that is no job, and
   * outlives it.
   */
  readonly guessed?: boolean
  /**
   * The name that the asker has for the question. Clients of 2026-07-28 see it, unless the request has another question of
   * this name. Default: a name that means nothing.
   */
  readonly key?: string
}
