import { methods, rpcMethods } from '@junctor/protocol'

const waiting: ReadonlySet<string> = new Set([methods.tasksResult, rpcMethods.jobResult])

/** Said to one whose node, or session, went away. */
export const askAgainMessage = 'What waited for the job here is gone, and the job goes on: ask for it again'

/** Whether requests of this method are answered when a job is over: nothing runs for them, and any node can be asked. */
export function waitsForJob(method: string): boolean {
  return waiting.has(method)
}
