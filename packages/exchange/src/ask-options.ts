/** How a question to the client is to be asked. */
export interface AskOptions {
  /** Time for the client to answer, in milliseconds. Default: the host's, one minute; people answer elicitations. */
  readonly timeoutMs?: number
  /** Withdraws the question: the client gets `notifications/cancelled`, the asker an error. */
  readonly signal?: AbortSignal
  /** The transport could not tell which request caused this; it is shown on the newest one and outlives it. */
  readonly guessed?: boolean
}
