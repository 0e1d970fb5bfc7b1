import type { LinkEvent, Emit } from '@junctor/contracts'
import type { BackendEntry } from '../../shared/backend-entry.ts'

/** Reports an event of a backend. */
export type EmitLinkEvent = (entry: BackendEntry, event: LinkEvent) => void

/** Reports the events of backends, but not of the gateway's own tools, which do not count as a backend. */
export function emitterOfLinkEvents(emit: Emit): EmitLinkEvent {
  return (entry, event) => {
    if (entry.builtIn !== true) emit(event)
  }
}
