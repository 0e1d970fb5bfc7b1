import type { Link } from '@junctor/contracts'
import { isJsonObject, payloadOf } from '@junctor/jsonrpc'
import type { LogLevel } from '@junctor/protocol'
import { methods, reachesLevel } from '@junctor/protocol'
import { callQuietly } from './quiet-call.ts'
import type { Clock } from '../../shared/clock.ts'
import type { LinkSlot } from '../links/link-slot.ts'
import type { Caller } from '../callers/caller.ts'

/**
 * Log levels upstream. A link is asked for the most verbose level that any of its sessions wanted while it was open; each
 * caller filters for itself.
 */
export interface LogLevels {
  /** Sees to it that the slot's link logs what the caller wants. A promise when the link has to be asked first. */
  ensure(caller: Caller, slot: LinkSlot, link: Link): Promise<unknown> | undefined
  /** Tells a link that took another's place what was asked of the other. */
  restore(slot: LinkSlot, link: Link): Promise<unknown> | undefined
}

export function createLogLevels(clock: Clock): LogLevels {
  const ask = (slot: LinkSlot, link: Link, level: LogLevel): Promise<unknown> | undefined => {
    slot.logLevel = level
    if (!isJsonObject(link.server.capabilities['logging'])) return undefined
    return callQuietly(link, methods.loggingSetLevel, payloadOf({ level }), slot.client.context, clock)
  }

  return {
    ensure(caller, slot, link) {
      const wanted = caller.logLevel
      if (wanted === undefined || wanted === slot.logLevel) return undefined
      if (slot.logLevel !== undefined && slot.scope.session === undefined && reachesLevel(wanted, slot.logLevel)) {
        return undefined
      }
      return ask(slot, link, wanted)
    },
    restore(slot, link) {
      return slot.logLevel === undefined ? undefined : ask(slot, link, slot.logLevel)
    },
  }
}
