import type { AdminCommandOptions } from './admin-endpoint.ts'
import { printAnswer } from './print-answer.ts'
import { shownStatusSchema } from './shown-status.ts'
import { statusText } from './status-text.ts'

/** Prints the state of a running gateway. */
export function runStatus(process: NodeJS.Process, options: AdminCommandOptions): Promise<void> {
  return printAnswer(process, options, { path: '/status', schema: shownStatusSchema, text: statusText })
}
