import type { JsonObject } from '@junctor/jsonrpc'
import type { FoundServers } from './found-servers.ts'
import type { NewConfigOptions } from './new-config.ts'
import type { Questions } from '../report/questions.ts'
import { typedBackend } from './typed-backend.ts'

/** The wishes of the user at the terminal. */
export interface Interview {
  readonly taken: readonly FoundServers[]
  readonly wishes: NewConfigOptions
}

/**
 * Asks for everything that no option has set: which of the found servers to take over, further servers, and the port.
 * `undefined`: the input has ended.
 */
export async function interview(
  found: readonly FoundServers[],
  given: NewConfigOptions,
  { ask, say }: Pick<Questions, 'ask' | 'say'>,
): Promise<Interview | undefined> {
  const taken: FoundServers[] = []
  for (const each of found) {
    const names = Object.keys(each.backends)
    const question = `Take over ${names.join(', ')} of ${each.program} (${each.file})?`
    // oxlint-disable-next-line no-await-in-loop -- one question after the other
    const answer = await ask(question, 'yes')
    if (answer === undefined) return undefined
    if (/^y/i.test(answer)) taken.push(each)
  }
  const typed = await askBackends(ask, say)
  const port = typed && (given.port ?? (await askPort(ask, say)))
  if (typed === undefined || port === undefined) return undefined
  return { taken, wishes: { ...given, port, backends: [...given.backends, ...typed] } }
}

async function askBackends(
  ask: Questions['ask'],
  say: (line: string) => void,
): Promise<readonly JsonObject[] | undefined> {
  const typed: JsonObject[] = []
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop
    const answer = await ask('A server, as name=command or name=url; nothing when that is all:')
    if (answer === undefined) return undefined
    if (answer === '') return typed
    const read = typedBackend(answer)
    if (read.kind === 'bad') say(read.message)
    else typed.push({ [read.name]: read.backend })
  }
}

async function askPort(ask: Questions['ask'], say: (line: string) => void): Promise<number | undefined> {
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop
    const answer = await ask('The port that clients connect to:', '3000')
    if (answer === undefined) return undefined
    if (/^\d{1,5}$/.test(answer) && Number(answer) <= 65_535) return Number(answer)
    say(`expected a number from 0 to 65535, got ${JSON.stringify(answer)}`)
  }
}
