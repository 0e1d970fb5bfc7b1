import type { Backend } from '@junctor/contracts'
import type { Plugin } from '../plugin.ts'
import { linkProblems, serverProblems } from './link-problems.ts'
import { namedProblems, resourceProblems, schemaProblems } from './listing-problems.ts'
import { backendOf, openBackend, type OpenOptions } from './open-backend.ts'
import {
  answerProblems,
  argumentProblems,
  cancelProblems,
  closeProblems,
  endProblems,
  harmlessCalls,
  type ProbeCall,
  readProblems,
  unknownProblems,
  unlistedProblems,
} from './probe-problems.ts'

/** Optional checks beyond those that apply to every backend. */
export interface WellBehavedOptions extends OpenOptions {
  /** A call that takes at least some seconds: it is cancelled, and must stop within one. */
  readonly slowCall?: ProbeCall
  /**
   * Calls that do no harm, besides those of tools that declare `readOnlyHint: true` and need no arguments. Each is made
   * twice: its answer is checked, and it is cancelled.
   */
  readonly calls?: readonly ProbeCall[]
}

/** One rule that a backend breaks. */
export interface Misbehaviour {
  /** What was expected, and what came. */
  readonly problem: string
  /** What its author can do. */
  readonly next: string
}

/**
 * Looks for everything that `assertWellBehaved` asserts, and returns it. Opens the backend and closes it.
 *
 * @throws Error when the backend cannot be made or opened
 */
export async function findMisbehaviour(
  subject: Backend | Plugin,
  options: WellBehavedOptions = {},
): Promise<readonly Misbehaviour[]> {
  const backend = await backendOf(subject, options)
  const client = await openBackend(backend, options)
  const unusable = serverProblems(client)
  if (unusable.length > 0) {
    await closeProblems(client)
    return breaks('Mend the link that the backend opens; createBackend makes one that is right.', unusable)
  }
  const tools = await client.listTools()
  const prompts = await client.listPrompts()
  const resources = await client.listResources()
  const calls = [...harmlessCalls(tools), ...(options.calls ?? [])]
  const found = [
    breaks('Mend it where it is defined: createTool, createPrompt, createResource.', [
      ...namedProblems('tool', tools),
      ...tools.flatMap(schemaProblems),
      ...namedProblems('prompt', prompts),
      ...resourceProblems(resources, 'uri'),
      ...resourceProblems(await client.listResourceTemplates(), 'uriTemplate'),
    ]),
    breaks('Correct the name in the call.', unlistedProblems(tools, options.calls ?? [])),
    breaks('Answer with an error; createBackend does it.', await unknownProblems(client)),
    breaks('Check the arguments before the work begins; createTool does it.', await argumentProblems(client, tools)),
    breaks(
      'Let the handler return that: its schema and the specification describe it.',
      await answerProblems(client, tools, prompts, calls),
    ),
    breaks('Let "read" return the contents of what is listed.', await readProblems(client, resources)),
    breaks('Give the "signal" of the handler to what it waits for, or end when it aborts.', [
      ...(await endProblems(client, calls)),
      ...(options.slowCall === undefined ? [] : await cancelProblems(client, options.slowCall)),
    ]),
    breaks(
      'Keep to the rules of Link: what changes is announced with "replace".',
      await linkProblems(backend, options),
    ),
    breaks(
      'Release in "close" what the backend holds, and let a second close do nothing.',
      await closeProblems(client),
    ),
  ]
  return found.flat()
}

function breaks(next: string, problems: readonly string[]): readonly Misbehaviour[] {
  return problems.map((problem) => ({ problem, next }))
}
