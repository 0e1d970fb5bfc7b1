import type { Link } from '@junctor/contracts'
import { isJsonObject, payloadOf } from '@junctor/jsonrpc'
import { type LogLevel, methods, reachesLevel } from '@junctor/protocol'
import { callForGateway } from './call-for-gateway.ts'
import type { Clock } from '../../shared/clock.ts'
import type { LinkSlot } from '../links/link-slot.ts'
import type { Caller } from '../callers/caller.ts'

/**
 * Log levels of links. A link is set to the most verbose level that any of its sessions wanted while it was open;
 * messages are filtered for each caller.
 */
export interface LogLevels {
  /**
   * Makes the slot's link log at the level that the caller wants. Returns a promise when the link must be asked first.
   */
  ensure(caller: Caller, slot: LinkSlot, link: Link): Promise<unknown> | undefined
  /** Sets the level of the previous link on the link that replaces it. */
  restore(slot: LinkSlot, link: Link): Promise<unknown> | undefined
}

/** Creates the levels. A server that does not declare `logging` is not asked. */
export function createLogLevels(clock: Clock): LogLevels {
  const ask = (slot: LinkSlot, link: Link, level: LogLevel): Promise<unknown> | undefined => {
    slot.logLevel = level
    if (!isJsonObject(link.server.capabilities['logging'])) return undefined
    return callForGateway(link, methods.loggingSetLevel, payloadOf({ level }), slot.client.context, clock)
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
