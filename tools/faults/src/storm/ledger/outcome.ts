/** The outcome of one attempt of a call, as its client saw it. */
export type AttemptOutcome =
  | { readonly kind: 'result'; readonly text: string }
  /** An error of the gateway or of a backend. `reason` is empty when it has none. */
  | {
      readonly kind: 'error'
      readonly code: number
      readonly reason: string
      readonly retryable: boolean
      /** Empty when it is not about a backend. */
      readonly backend: string
      readonly message: string
    }
  /** The connection was refused: nothing was sent. */
  | { readonly kind: 'refused'; readonly what: string }
  /** It was sent, and then its connection, or the session whose stream should have had the answer, was gone. */
  | { readonly kind: 'lost'; readonly what: string }
  /** No answer came within the timeout. */
  | { readonly kind: 'silent'; readonly what: string }

/** The outcome for a JSON-RPC error. */
export function errorOutcome(error: unknown): AttemptOutcome {
  const { code, message, data } = (error ?? {}) as { code?: unknown; message?: unknown; data?: unknown }
  const { reason, retryable, backend } = (data ?? {}) as Partial<Record<'reason' | 'retryable' | 'backend', unknown>>
  return {
    kind: 'error',
    code: typeof code === 'number' ? code : 0,
    reason: typeof reason === 'string' ? reason : '',
    retryable: retryable === true,
    backend: typeof backend === 'string' ? backend : '',
    message: String(message),
  }
}

/** The outcome of a call that its client cancelled, when the client gets no other answer. */
export const cancelledOutcome: AttemptOutcome = {
  kind: 'error',
  code: -32_800,
  reason: 'cancelled',
  retryable: false,
  backend: '',
  message: 'The client cancelled it',
}

/** Whether a call ended because its client wanted that. */
export function isCancelled(outcome: AttemptOutcome): boolean {
  return outcome.kind === 'error' && outcome.reason === 'cancelled'
}

/** The outcome in a word or two, by which it is counted. */
export function labelOf(outcome: AttemptOutcome): string {
  if (outcome.kind === 'result') return 'result'
  if (outcome.kind === 'error') return outcome.reason === '' ? `error ${outcome.code}` : outcome.reason
  return outcome.kind
}
