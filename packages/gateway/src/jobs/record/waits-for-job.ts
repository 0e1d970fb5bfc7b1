import { methods, rpcMethods } from '@junctor/protocol'

const waiting: ReadonlySet<string> = new Set([methods.tasksResult, rpcMethods.jobResult])

/** The message for a waiting request whose node or session is gone. */
export const askAgainMessage = 'What waited for the job here is gone, and the job goes on: ask for it again'

/** Whether requests of this method only wait for the end of a job: they run nothing, and any node can answer them. */
export function waitsForJob(method: string): boolean {
  return waiting.has(method)
}
