import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type NotImported, printConfig } from '@junctor/config'
import type { Failure } from '@junctor/command'
import { findServers, type FoundServers, readServers } from './found-servers.ts'
import type { InitOptions } from './init-options.ts'
import { interview } from './interview.ts'
import { newConfig } from './new-config.ts'
import { openSecrets } from './open-secrets.ts'
import type { Questions } from '../report/questions.ts'
import { whyUnwritable } from '../report/why-unwritable.ts'
import { failed } from '../report/failed.ts'
import { misused } from '../report/misused.ts'
import { writeNew, writeOver } from '../whole-file.ts'

/** What `init` uses of the process around it. */
export interface InitEnvironment {
  readonly folder: string
  readonly home: string
  readonly platform: NodeJS.Platform
  /** Absent: no user can be asked. */
  readonly questions: Questions | undefined
}

/** The result of `init`. */
export type Initialized =
  | {
      readonly kind: 'written'
      /** Absolute. */
      readonly file: string
      /** Names of backends. */
      readonly backends: readonly string[]
      readonly taken: readonly FoundServers[]
      /** Files of other programs whose servers were not taken over. */
      readonly untaken: readonly FoundServers[]
      readonly left: readonly NotImported[]
      /** Where the file contains secrets. */
      readonly secrets: readonly string[]
    }
  /** A word of the command line cannot be used. */
  | { readonly kind: 'misused'; readonly failure: Failure }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** Writes a new configuration file, and changes nothing else. */
export async function init(options: InitOptions, around: InitEnvironment): Promise<Initialized> {
  const named = options.from.map((file) => ({ file, servers: readServers(file, around.folder) }))
  const missing = named.find(({ servers }) => servers === undefined)
  if (missing !== undefined) {
    const isThere = existsSync(resolve(around.folder, missing.file))
    const why = isThere
      ? `${missing.file} is not a file of UTF-8 text that can be read`
      : `there is no file ${missing.file}`
    return misused(why, 'Correct --from.')
  }
  const empty = named.find(({ servers }) => Object.keys(servers?.backends ?? {}).length === 0)
  if (empty !== undefined) {
    const why = empty.servers?.left.map((entry) => `${entry.what}: ${entry.why}`).join('; ') ?? ''
    return misused(`${empty.file} has no servers that can be taken over. ${why}`, 'Name another file with --from.')
  }
  const noPlace = whyUnwritable(options.output && resolve(around.folder, options.output), '--output')
  if (noPlace !== undefined) return { kind: 'misused', failure: noPlace }
  const chosen = named.flatMap(({ servers }) => servers ?? [])
  const all = chosen.length > 0 ? [] : findServers(around.folder, around.home, around.platform)
  const found = all.filter(({ backends }) => Object.keys(backends).length > 0)
  const given = { backends: options.backend, port: options.port, profile: options.profile }
  const asked =
    around.questions === undefined
      ? { taken: options.yes === true ? found : [], wishes: given }
      : await interview(found, given, around.questions)
  if (asked === undefined) return failed('stopped: nothing was written', 'Run it again, or say all of it in options.')

  const taken = [...chosen, ...asked.taken]
  const { config, left } = newConfig({
    ...asked.wishes,
    backends: [...asked.wishes.backends, ...taken.map(({ backends }) => backends)],
  })
  const secrets = openSecrets(config)
  const file = resolve(around.folder, options.output)
  const refused = write(file, printConfig(config), { force: options.force === true, secret: secrets.length > 0 })
  if (refused !== undefined) return { kind: 'failed', failure: refused }
  return {
    kind: 'written',
    file,
    backends: Object.keys(config['backends'] as object),
    taken,
    untaken: around.questions === undefined && options.yes !== true ? found : [],
    left: [...all.flatMap(untakeable), ...taken.flatMap((each) => each.left), ...left],
    secrets,
  }
}

/** The entries of a file without usable servers. A file that has no servers at all is not reported. */
function untakeable({ file, backends, left }: FoundServers): readonly NotImported[] {
  return Object.keys(backends).length > 0 ? [] : left.filter(({ what }) => what !== file)
}

/** Writes the file. A file with secrets is readable by its owner only. */
function write(
  file: string,
  text: string,
  { force, secret }: { force: boolean; secret: boolean },
): Failure | undefined {
  try {
    const mode = secret ? 0o600 : 0o644
    // A new file in each case, because the old one may be open or readable for other users.
    if (force) writeOver(file, text, mode)
    else writeNew(file, text, mode)
    return undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      return {
        message: `${file} is there already, and was not touched`,
        next: 'Overwrite it with --force, or name another file with --output.',
      }
    }
    return {
      message: `${file} cannot be written: ${(error as Error).message}`,
      next: 'Name another file with --output.',
    }
  }
}
