import type { EndReason } from '@junctor/exchange'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { Call } from '../../upstream/calls/call.ts'
import { bindTask } from './bound-task.ts'

/** Ends of a job's call after which another node continues it. */
const continuingEnds: ReadonlySet<EndReason> = new Set(['shutdown', 'lease_lost', 'disconnected'])

/** Called when the backend has started a task for a call: if the call is that of a job, the job stores the task. */
export function keepForJob(call: Call, entry: BackendEntry, taskId: string): void {
  const { exchange } = call
  if (!isOfJob(call)) return
  const bound = bindTask(entry, taskId)
  if (exchange.context.backendTask !== bound) exchange.startedTask?.(bound)
}

/** Whether a backend's task goes on after this end of its call, because another node waits for it then. */
export function goesOnAfter(reason: EndReason, call: Call): boolean {
  return isOfJob(call) && continuingEnds.has(reason)
}

/** Whether the call is the request of a job, and not one of a tool that the job calls. */
function isOfJob({ exchange }: Call): boolean {
  return exchange.context.counted === true && exchange.context.chain === undefined
}
