import type { RequestId } from '@junctor/jsonrpc'
import type { SessionTable } from '../../sessions/session/session-table.ts'
import type { ControlListener } from '../../nodes/subscribe-controls.ts'
import { readSessionControl, type SessionControl } from '../../sessions/session-control.ts'
import type { Cancels } from './cancels.ts'

/** What a message of another node can do with a session of this one: cancel its requests, end it, forget it. */
export interface ControlParts {
  readonly cancels: Cancels
  readonly table: SessionTable
  /** Ends a session whose home is this node. */
  readonly end: (session: string) => void
  /** Forgets a session that has ended elsewhere. */
  readonly leave: (session: string) => void
}

/** Handles the control messages of other nodes about sessions. */
export function onSessionControl({ cancels, table, end, leave }: ControlParts): ControlListener {
  const handle = (control: SessionControl): void => {
    switch (control.kind) {
      case 'cancel': {
        const session = table.served(control.session) ?? { id: control.session, inFlight: undefined }
        cancels.here(session, control.id as RequestId)
        return
      }
      case 'extensions':
        return table.setExtensions(control.session, control.extensions)
      case 'session-moved':
        // On the session's home node, an older message of another node is ignored.
        if (table.peek(control.session) === undefined) table.setHome(control.session, control.home)
        return
      case 'session-waits':
        return void table.home(control.session)
      case 'end':
        return end(control.session)
      case 'session-ended':
        return leave(control.session)
      case 'session-left':
        // This node may have adopted it, without the home learning of that.
        if (table.peek(control.session) !== undefined) return leave(control.session)
        table.drop(control.session)
    }
  }
  return (received) => {
    const control = readSessionControl(received)
    if (control.kind === 'read') handle(control.value)
    return control
  }
}
