import { methods, rpcMethods } from '@junctor/protocol'

const waiting: ReadonlySet<string> = new Set([methods.tasksResult, rpcMethods.jobResult])
const asking: ReadonlySet<string> = new Set([
  ...waiting,
  methods.tasksGet,
  methods.tasksCancel,
  rpcMethods.jobStatus,
  rpcMethods.jobCancel,
])

/** The message for a request about a job whose node or session is gone: it may have been one that cancels the job. */
export const askAgainMessage = 'The answer about the job was lost, and not the job: send the request again'

/** Whether requests of this method only wait for the end of a job: they run nothing, and any node can answer them. */
export function waitsForJob(method: string): boolean {
  return waiting.has(method)
}

/**
 * Whether requests of this method ask about a job, or cancel it. What became of such a request says nothing about the job,
 * and it may be sent again.
 */
export function asksAboutJob(method: string): boolean {
  return asking.has(method)
}
