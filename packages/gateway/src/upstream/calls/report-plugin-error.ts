import type { Emit, Log } from '@junctor/contracts'
import type { LinkSlot } from '../links/link-slot.ts'

/** Called when a backend's code threw where it must not. Must not throw itself. */
export type ReportPluginError = (slot: LinkSlot, error: unknown) => void

/** Reports such an error in the log and as an event. */
export function pluginErrorReporter(log: Log, emit: Emit): ReportPluginError {
  return ({ entry }, error) => {
    const { name } = entry.backend
    log.error('a backend threw where it must not', { backend: name, error })
    emit({ kind: 'plugin_failed', backend: name })
  }
}
