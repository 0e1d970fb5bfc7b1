/** How one attempt of a call ended, as its client saw it. */
export type Outcome =
  | { readonly kind: 'result'; readonly text: string }
  /** An error of the gateway or of a backend. `reason` is empty when it says none. */
  | {
      readonly kind: 'error'
      readonly code: number
      readonly reason: string
      readonly retryable: boolean
      /** Empty when it is about none. */
      readonly backend: string
      readonly message: string
    }
  /** Nobody listened: nothing was sent. */
  | { readonly kind: 'refused'; readonly what: string }
  /** It was sent, and then its connection, or the session whose stream was to have the answer, was gone. */
  | { readonly kind: 'lost'; readonly what: string }
  /** Nothing came, for as long as anybody would wait. */
  | { readonly kind: 'silent'; readonly what: string }

/** What an error of JSON-RPC says. */
export function errorOutcome(error: unknown): Outcome {
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

/** What became of a call that its client cancelled, where nobody tells the client more. */
export const cancelledOutcome: Outcome = {
  kind: 'error',
  code: -32_800,
  reason: 'cancelled',
  retryable: false,
  backend: '',
  message: 'The client cancelled it',
}

/** Whether a call ended because its client wanted that. */
export function isCancelled(outcome: Outcome): boolean {
  return outcome.kind === 'error' && outcome.reason === 'cancelled'
}

/** The outcome in a word or two, by which it is counted. */
export function labelOf(outcome: Outcome): string {
  if (outcome.kind === 'result') return 'result'
  if (outcome.kind === 'error') return outcome.reason === '' ? `error ${outcome.code}` : outcome.reason
  return outcome.kind
}
