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

/** What to check beyond what every backend must do. */
export interface WellBehavedOptions extends OpenOptions {
  /** A call that takes at least some seconds: it is cancelled, and must stop within one. */
  readonly slowCall?: SlowCall
}

/**
 * Checks what clients and the gateway rely on, whatever the backend does: lists that are valid, errors for what is not
 * there and for arguments that do not match, resources that can be read, calls that can be cancelled, an orderly end.
 * For an author's own tests, in any test runner. Opens the backend and closes it.
 *
 * Tools are called without their required arguments; one that does not check them is run. Tools that say
 * `readOnlyHint: true` and need no arguments are run, and prompts that need none.
 *
 * @throws Error that lists everything that is wrong
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
