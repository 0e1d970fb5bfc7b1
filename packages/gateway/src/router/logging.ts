import { isLogLevel, logLevels } from '@junctor/protocol'
import { failed } from '../upstream/calls/failed.ts'
import { textParam } from './params.ts'
import type { MethodRoute, RouterParts } from './method-route.ts'
import { emptyOutcome } from '../shared/empty-outcome.ts'

/** `logging/setLevel`: stores the level for the caller, and sets it on the open links. The result is always empty. */
export function setLevelRoute({ levels }: Pick<RouterParts, 'levels'>): MethodRoute {
  return async (call) => {
    const read = textParam(call, 'level')
    if (read.kind === 'bad') return read.outcome
    if (!isLogLevel(read.text)) {
      return failed(call, 'invalid_params', { message: `Expects "level" to be one of ${logLevels.join(', ')}` })
    }
    const { caller } = call
    caller.logLevel = read.text
    await Promise.all(
      caller.slots().map(async (slot) => {
        if (slot.link !== undefined) await levels.ensure(caller, slot, slot.link)
      }),
    )
    return emptyOutcome
  }
}
