import type { Outcome } from '@junctor/exchange'
import { payloadFromText } from '@junctor/jsonrpc'

/** An empty result: the complete response of `ping`, `resources/subscribe` and `logging/setLevel`. */
export const emptyOutcome: Outcome = { kind: 'complete', result: payloadFromText('{}') }
