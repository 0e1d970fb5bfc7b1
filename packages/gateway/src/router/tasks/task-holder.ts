import type { Outcome } from '@junctor/exchange'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { Call } from '../../upstream/calls/call.ts'
import { failed } from '../../upstream/calls/failed.ts'
import { serverMark } from '../../upstream/calls/server-mark.ts'

/**
 * The backend to ask for a task: the one that has started it, or after a reload the one that has its server now.
 * `undefined`: no backend of the tenant has that server any more, as far as its caller knows.
 */
export function taskHolder({ caller }: Call, entry: BackendEntry): BackendEntry | undefined {
  if (!caller.slot(entry).retired) return entry
  const mark = serverMark(entry)
  return caller.tenant.backends.find((each) => each !== entry && serverMark(each) === mark)
}

/**
 * The outcome of a call whose task is lost because a reload has replaced its backend. It names no backend, as when a node
 * is lost: so a job goes on with what the new configuration has.
 */
export function taskLost(call: Call): Outcome {
  return failed(call, 'backend_exited', {
    message: 'The backend was replaced before it answered: whether the call took effect is unknown',
  })
}
