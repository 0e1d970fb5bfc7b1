import { existsSync } from 'node:fs'
import { canonicalText, type JsonObject } from '@junctor/jsonrpc'
import {
  insertBackend,
  keptFileOf,
  legalName,
  printConfig,
  readConfigText,
  readKeptFile,
  writtenBackends,
} from '@junctor/config'
import type { Failure } from '@junctor/command'
import { printable } from '@junctor/primitives'
import { problemsText } from '../report/problems-text.ts'
import { whyUnwritable } from '../report/why-unwritable.ts'
import type { PlannedBackend } from './planned-backend.ts'
import { replaceFile } from './replace-file.ts'
import { backendWithOtherDocument, type ServerPin } from './server-pins.ts'
import { failed } from '../report/failed.ts'

/** A configuration with a name for the new backend, before anything is written. */
export interface OpenedConfig {
  readonly file: string
  /** `undefined`: it is not there yet. */
  readonly text: string | undefined
  /** Of the new backend. */
  readonly name: string
}

/** A configuration that a backend can be added to, or why not. */
export type OpenConfig =
  | { readonly kind: 'opened'; readonly opened: OpenedConfig }
  /** `misused`: a word of the command line cannot be used. */
  | { readonly kind: 'misused' | 'failed'; readonly failure: Failure }

/**
 * Reads the configuration, and finds a name that no other backend has. Refuses a backend that the file has already, unless
 * the user chose a name for it.
 *
 * @param wanted the name that the user chose: it must be free
 */
export function openConfig(file: string, plan: PlannedBackend, wanted: string | undefined): OpenConfig {
  const noPlace = whyUnwritable(file, '--config')
  if (noPlace !== undefined) return { kind: 'misused', failure: noPlace }
  if (!existsSync(file)) return { kind: 'opened', opened: { file, text: undefined, name: wanted ?? plan.name } }
  const read = readConfigText(file)
  const correct = `Correct the file first: junctor check --config ${file}`
  if (read.kind === 'invalid') return failed(`${file} ${problemsText(read.problems)}`, correct)
  const taken = writtenBackends(read.text, file)
  if (taken === undefined) return failed(`${file} cannot be read as YAML or JSON`, correct)
  if (wanted !== undefined && taken.has(wanted))
    return failed(`${file} has a backend ${wanted} already`, 'Choose another --name.')
  const same = wanted === undefined ? sameBackend(taken, plan.backend) : undefined
  if (same !== undefined) {
    const next = `Try it with "junctor check"; to add it once more, give it another name with --name.`
    return failed(`${file} has it already, as the backend ${same}`, next)
  }
  const free = Array.from({ length: taken.size + 1 }, (_, index) =>
    index === 0 ? plan.name : legalName(`${plan.name.slice(0, 60)}-${index + 1}`),
  )
  const name = wanted ?? free.find((candidate) => !taken.has(candidate)) ?? plan.name
  return { kind: 'opened', opened: { file, text: read.text, name } }
}

/** The name of a backend that is written in the same way. */
function sameBackend(taken: ReadonlyMap<string, unknown>, backend: JsonObject): string | undefined {
  const wanted = canonicalText(backend)
  for (const [name, written] of taken) if (canonicalText(written) === wanted) return name
  return undefined
}

/** Writes the pin, then the configuration. `undefined`: both are written. */
export function writeBackend(
  { file, text, name }: OpenedConfig,
  { backend, pin }: PlannedBackend,
): Failure | undefined {
  const comment =
    pin === undefined
      ? 'Added by junctor add'
      : `${printable(pin.name)} ${printable(pin.version)}, server.json sha256:${pin.sha256}`
  const inserted =
    text === undefined
      ? ({ kind: 'text', text: newText(file, name, backend, comment) } as const)
      : insertBackend(text, file, { name, backend, comment })
  if (inserted.kind === 'refused')
    return { message: `${file} was not touched: ${inserted.why}`, next: 'Then run the command again.' }
  const refused = pin === undefined ? undefined : writePin(keptFileOf(file, 'servers.json'), name, pin)
  return refused ?? replaceFile(file, text, inserted.text)
}

function newText(file: string, name: string, backend: JsonObject, comment: string): string {
  if (/\.jsonc?$/i.test(file)) return `${JSON.stringify({ backends: { [name]: backend } }, null, 2)}\n`
  const text = printConfig({ backends: {} })
  const inserted = insertBackend(text, file, { name, backend, comment })
  return inserted.kind === 'text' ? inserted.text : printConfig({ backends: { [name]: backend } })
}

/** Writes the pin beside those of other backends: `junctor.servers.json` beside `junctor.yaml`. */
function writePin(file: string, name: string, pin: ServerPin): Failure | undefined {
  const read = readKeptFile(file)
  if (read.kind === 'unusable')
    return { message: `${file} ${read.why}`, next: 'Correct or remove it: it has the documents of added servers.' }
  const other = backendWithOtherDocument(read.value, pin)
  if (other !== undefined) {
    return {
      message: `the document of ${pin.name} ${pin.version} is not the one that the backend ${other} was added from, and a version never changes`,
      next: `Compare it with ${file}. Do not use it before you know who changed it.`,
    }
  }
  const { [name]: _, ...rest } = read.value
  return replaceFile(file, read.text, `${JSON.stringify({ ...rest, [name]: pin }, null, 2)}\n`)
}
