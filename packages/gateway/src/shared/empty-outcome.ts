import type { Outcome } from '@junctor/exchange'
import { payloadFromText } from '@junctor/jsonrpc'

/** An empty result: the whole answer of ping, subscribe and setLevel. */
export const emptyOutcome: Outcome = { kind: 'complete', result: payloadFromText('{}') }
