import type { Backend } from '@junctor/contracts'
import type { Plugin } from '../plugin.ts'
import { findMisbehaviour, type WellBehavedOptions } from './find-misbehaviour.ts'

/**
 * Checks the behaviour on which clients and the gateway rely in every backend: lists are valid and do not change
 * unannounced, unknown items and arguments that do not match are answered with errors, structured answers match their
 * schemas, resources can be read, calls can be cancelled, links are independent, and the backend closes cleanly. For an
 * author's own tests, in any test runner. Opens the backend and closes it.
 *
 * Tools are called without their required arguments; a tool that does not check them does its work. Tools that declare
 * `readOnlyHint: true` and need no arguments are run, and prompts that need none.
 *
 * @throws Error that lists every problem
 */
export async function assertWellBehaved(subject: Backend | Plugin, options: WellBehavedOptions = {}): Promise<void> {
  const found = await findMisbehaviour(subject, options)
  if (found.length === 0) return
  throw new Error(`The backend does not behave:\n${found.map(({ problem }) => `- ${problem}`).join('\n')}`)
}
