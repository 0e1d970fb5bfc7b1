import { isJsonObject, type JsonObject, type JsonValue } from '@junctor/jsonrpc'
import { isName } from '@junctor/protocol'
import * as z from 'zod'
import { checkBackend } from '../backends/check-backend.ts'
import type { ConfigurablePlugin } from '../backends/configurable-plugin.ts'
import type { BackendConfig, Config } from '../config.ts'
import { findReferences } from '../document/references.ts'
import { describeValue } from '../findings/describe-value.ts'
import { fieldNotes } from '../findings/field-notes.ts'
import { type Finding, pathText, type Problem } from '../problem.ts'
import { illegalName } from '../schema/values.ts'
import { urlSecrets } from '../secrets/url-secrets.ts'
import { unknownReference } from './unknown-reference.ts'

/** A problem of a backend that is in no file. */
export type AddedProblem = Omit<Problem, 'file' | 'line' | 'column'>

/** A backend that is added while nodes run, or all its problems. */
export type CheckedAddition<Plugin extends ConfigurablePlugin> =
  | { readonly kind: 'valid'; readonly backend: BackendConfig<Plugin>; readonly tenants: readonly string[] }
  | { readonly kind: 'invalid'; readonly problems: readonly AddedProblem[] }

/**
 * Checks a backend that is added while nodes run. `entry` is written as in the section `backends` of a file, and may
 * name its `tenants`; they may be left out when the configuration has one tenant. It cannot have references, because
 * only the file reads variables and files of the machine; and only a backend of a plugin that says `isRemote` is
 * accepted, because only the file names programs, files and code.
 *
 * @param config the configuration of the file, whose names are taken
 */
export function checkAddedBackend<Plugin extends ConfigurablePlugin>(
  name: string,
  entry: JsonValue,
  config: Pick<Config, 'backends' | 'tenants' | 'timeoutMs' | 'pins'>,
  plugins: readonly Plugin[],
): CheckedAddition<Plugin> {
  const { value, found } = findReferences(entry)
  const named = [...nameFindings(name, config), ...found.map(referenceFinding)]
  if (!isJsonObject(value)) return invalid([...named, notAMapping(entry)])
  const { tenants: written, ...own } = value
  const tenants = checkTenantNames(written, config)
  const refused = [...named, ...tenants.findings, ...placeFindings(own)]
  if (refused.length > 0) return invalid(refused)
  const checked = checkBackend(
    { name, path: [], value: own, written: own, secrets: secretTexts(own) },
    {
      plugins: { builtIn: plugins, loaded: new Map(), isolated: new Map() },
      notesOf: (plugin) => fieldNotes(plugin.config),
      usual: config,
    },
  )
  if (checked.kind === 'findings') return invalid(checked.findings)
  const { backend } = checked
  if (backend.plugin.isRemote?.(backend.options) !== true) return invalid([localFinding(backend.word)])
  return { kind: 'valid', backend: { ...backend, added: true }, tenants: tenants.names }
}

function invalid(findings: readonly Finding[]): CheckedAddition<never> {
  return { kind: 'invalid', problems: findings.map(problemOf) }
}

function problemOf({ kind, path, got, expected, next }: Finding): AddedProblem {
  return { kind, path: pathText(path), got, expected, next }
}

function nameFindings(name: string, { backends }: Pick<Config, 'backends'>): readonly Finding[] {
  if (!isName(name)) return [illegalName([], name)]
  if (!backends.some((backend) => backend.name === name && backend.added !== true)) return []
  const next = 'Change it in the file, or choose another name.'
  const expected = 'a name that the configuration file does not have'
  return [{ kind: 'name_taken', path: [], at: 'key', got: JSON.stringify(name), expected, next }]
}

function referenceFinding({ path, written }: ReturnType<typeof findReferences>['found'][number]): Finding {
  const expected = 'the value itself: only the configuration file can refer to variables and files'
  const next = `Send the value, or double the dollar sign to mean the text: $${written}.`
  return { kind: 'unknown_reference', path, at: 'value', got: written, expected, next }
}

function notAMapping(entry: JsonValue): Finding {
  const next = 'Describe the backend, for example: { "url": "https://mcp.example.com/mcp" }'
  return { kind: 'wrong_value', path: [], at: 'value', got: describeValue(entry, []), expected: 'a mapping', next }
}

/** What names something of this machine by a word that every backend may have. */
function placeFindings({ plugin, runsOn }: JsonObject): readonly Finding[] {
  if (plugin !== undefined) return [localFinding('plugin')]
  if (runsOn === undefined || runsOn === 'gateways') return []
  const [got, expected] = [describeValue(runsOn, ['runsOn']), '"gateways", because workers read their file only']
  const next = 'Leave it out, or write the backend in the files of gateways and workers.'
  return [{ kind: 'wrong_value', path: ['runsOn'], at: 'value', got, expected, next }]
}

function localFinding(word: string): Finding {
  const expected = 'a backend at a URL: only the configuration file names programs, files and code'
  const next = 'Write this backend in the configuration file; a running gateway applies changes of its file.'
  return { kind: 'backend_kind', path: [word], at: 'key', got: word, expected, next }
}

const namesSchema = z.array(z.string()).min(1)

function checkTenantNames(
  written: JsonValue | undefined,
  { tenants }: Pick<Config, 'tenants'>,
): { readonly names: readonly string[]; readonly findings: readonly Finding[] } {
  const known = tenants.map(({ name }) => name)
  if (written === undefined && known.length === 1) return { names: known, findings: [] }
  const parsed = namesSchema.safeParse(written)
  if (!parsed.success) {
    const [expected, next] = ['a list of tenants', `Name those that may use it: ["${known[0]}"].`]
    const kind = written === undefined ? 'missing_value' : 'wrong_value'
    const got = describeValue(written, ['tenants'])
    return { names: [], findings: [{ kind, path: ['tenants'], at: 'value', got, expected, next }] }
  }
  const unknown = [...parsed.data.entries()].filter(([, name]) => !known.includes(name))
  const findings = unknown.map(([index, name]) =>
    unknownReference({ path: ['tenants', index], written: name, name, what: 'tenant', known }),
  )
  return { names: [...new Set(parsed.data)], findings }
}

/** The texts that must not occur in the shown configuration of the backend, in a log or in an error. */
function secretTexts({ headers, auth, ...others }: JsonObject): readonly string[] {
  return [...textsIn(headers), ...textsIn(auth), ...textsIn(others).flatMap((text) => urlSecrets(text) ?? [])]
}

function textsIn(value: JsonValue | undefined): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}
