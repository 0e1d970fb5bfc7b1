import type { Outcome } from '@junctor/exchange'
import { payloadOf } from '@junctor/jsonrpc'
import { isLogLevel, logLevels } from '@junctor/protocol'
import type { MethodCall } from './method-handler.ts'

/** `logging/setLevel`: from now on the link sends only messages of that level and above. */
export function setLevel(call: MethodCall): Outcome {
  const { level } = call.params
  if (!isLogLevel(level)) {
    return call.error('invalid_params', {
      message: `Expected a level of ${logLevels.join(', ')}; got ${JSON.stringify(level)}`,
    })
  }
  call.link.level = level
  return { kind: 'complete', result: payloadOf({}) }
}
