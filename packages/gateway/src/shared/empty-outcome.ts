import type { Outcome } from '@junctor/exchange'
import { payloadFromText } from '@junctor/jsonrpc'

/** The result `{}`: of `ping`, `resources/subscribe` and `logging/setLevel`, and of requests of other nodes. */
export const emptyOutcome: Outcome = { kind: 'complete', result: payloadFromText('{}') }
