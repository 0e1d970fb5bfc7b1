import type { Backend } from '@junctor/contracts'
import type { Plugin } from '../plugin.ts'
import { namedProblems, resourceProblems, schemaProblems } from './listing-problems.ts'
import { openBackend, type OpenOptions } from './open-backend.ts'
import {
  answerProblems,
  argumentProblems,
  cancelProblems,
  closeProblems,
  readProblems,
  unknownProblems,
} from './probe-problems.ts'
import type { SlowCall } from './probe-problems.ts'

/** Optional checks beyond those that apply to every backend. */
export interface WellBehavedOptions extends OpenOptions {
  /** A call that takes at least some seconds: it is cancelled, and must stop within one. */
  readonly slowCall?: SlowCall
}

/**
 * Checks the behaviour on which clients and the gateway rely in every backend: lists are valid, unknown items and
 * arguments that do not match are answered with errors, resources can be read, calls can be cancelled, and the backend
 * closes cleanly. For an author's own tests, in any test runner. Opens the backend and closes it.
 *
 * Tools are called without their required arguments; a tool that does not check them does its work. Tools that declare
 * `readOnlyHint: true` and need no arguments are run, and prompts that need none.
 *
 * @throws Error that lists every problem
 */
export async function assertWellBehaved(subject: Backend | Plugin, options: WellBehavedOptions = {}): Promise<void> {
  const client = await openBackend(subject, options)
  const tools = await client.listTools()
  const prompts = await client.listPrompts()
  const resources = await client.listResources()
  const problems = [
    ...namedProblems('tool', tools),
    ...tools.flatMap(schemaProblems),
    ...namedProblems('prompt', prompts),
    ...resourceProblems(resources, 'uri'),
    ...resourceProblems(await client.listResourceTemplates(), 'uriTemplate'),
    ...(await unknownProblems(client)),
    ...(await argumentProblems(client, tools)),
    ...(await answerProblems(client, tools, prompts)),
    ...(await readProblems(client, resources)),
    ...(options.slowCall === undefined ? [] : await cancelProblems(client, options.slowCall)),
    ...(await closeProblems(client)),
  ]
  if (problems.length > 0) throw new Error(`The backend does not behave:\n${problems.map((p) => `- ${p}`).join('\n')}`)
}
