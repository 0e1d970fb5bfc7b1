import { isJsonObject, type JsonObject } from '@junctor/jsonrpc'
import * as z from 'zod'
import { pinsFor } from '../checks/check-pins.ts'
import type { BackendConfig, Config } from '../config.ts'
import { describeValue } from '../findings/describe-value.ts'
import { oneOf } from '../findings/expectation.ts'
import { type FieldNotes, fieldNotes } from '../findings/field-notes.ts'
import { findingsFromIssues, type IssueSource } from '../findings/from-issues.ts'
import type { Finding } from '../problem.ts'
import { type CommonOptions, commonOptionsSchema, commonWords } from '../schema/backend-schema.ts'
import { chooseIsolatedPlugin, choosePlugin, type KnownPlugins } from './choose-plugin.ts'
import type { ConfigurablePlugin } from './configurable-plugin.ts'
import type { DeclaredBackend } from './declared-backend.ts'
import { runsInNode } from './runs-in-node.ts'

/** A backend that can be created, or what is wrong with it. */
export type CheckedBackend<Plugin extends ConfigurablePlugin> =
  | { readonly kind: 'backend'; readonly backend: BackendConfig<Plugin> }
  | { readonly kind: 'findings'; readonly findings: readonly Finding[] }

/** Backends of these words distinguish their callers on one connection. */
const sharedWords: ReadonlySet<string> = new Set(['plugin', 'tool', 'openapi', 'wasm'])

/** Returns the notes of a plugin's schema. May throw. */
type NotesOf = (plugin: ConfigurablePlugin) => FieldNotes

/** A backend to check. */
export interface UncheckedBackend extends DeclaredBackend {
  /** The backend as the file has it, with unreplaced references. */
  readonly written: unknown
  /** Texts in it that must never be shown, beside those that its plugin declares as secret. */
  readonly secrets: readonly string[]
}

/** What all backends of a configuration are checked with. */
export interface BackendChecks<Plugin extends ConfigurablePlugin> {
  readonly plugins: KnownPlugins<Plugin>
  readonly notesOf: NotesOf
  /** What applies to a backend that does not set it. */
  readonly usual: Pick<Config, 'timeoutMs' | 'pins'>
}

/** Checks one backend: the options that every backend has with our schema, the rest with the schema of its plugin. */
export function checkBackend<Plugin extends ConfigurablePlugin>(
  { name, path, value, written, secrets: knownSecrets }: UncheckedBackend,
  { plugins, notesOf, usual }: BackendChecks<Plugin>,
): CheckedBackend<Plugin> {
  if (!isJsonObject(value)) {
    // `url:https://…` is one text for YAML.
    const [, word] = (typeof written === 'string' && /^([a-z]+):\S/i.exec(written)) || []
    const next =
      word === undefined
        ? 'Describe the backend, for example: url: https://mcp.example.com/mcp'
        : `Write a space after "${word}:".`
    return {
      kind: 'findings',
      findings: [
        { kind: 'wrong_value', path, at: 'value', got: describeValue(written, path), expected: 'a mapping', next },
      ],
    }
  }
  const common = z.safeParse(commonOptionsSchema, value)
  const own = Object.fromEntries(Object.entries(value).filter(([word]) => !commonWords.includes(word)))
  const findings = common.success
    ? []
    : [...findingsFromIssues(common.error.issues, { path, written, notes: fieldNotes(commonOptionsSchema) })]

  // A word that is not known may be a misspelt `process`: nothing is chosen then, as nothing was loaded.
  if (common.error?.issues.some(({ path: [word] }) => word === 'isolation') === true)
    return { kind: 'findings', findings }
  const choose = runsInNode(value['isolation']) ? choosePlugin : chooseIsolatedPlugin
  const choice = choose(own, { path, written }, plugins)
  if (choice.kind === 'undecided') return { kind: 'findings', findings: [...findings, choice.finding] }
  const { plugin, word } = choice
  const { plugin: reference, ...ownOptions } = own
  const named = word === 'plugin' && typeof reference === 'string' ? { pluginReference: reference } : undefined
  const source = { path, written, moreWords: commonWords }
  const options = checkOptions(plugin, word === 'plugin' ? ownOptions : own, source, notesOf)
  if (!common.success || options.kind === 'findings') {
    return { kind: 'findings', findings: [...findings, ...(options.kind === 'findings' ? options.findings : [])] }
  }

  const secrets = [...knownSecrets, ...options.secrets]
  const known = commonOf(name, word, common.data, usual)
  return { kind: 'backend', backend: { name, plugin, word, ...named, options: options.value, secrets, ...known } }
}

/** The options that every backend has, with their defaults. */
function commonOf(
  name: string,
  word: string,
  { timeout, askTimeout, isolation, idle, pins, ...others }: CommonOptions,
  usual: Pick<Config, 'timeoutMs' | 'pins'>,
): Omit<BackendConfig, 'name' | 'plugin' | 'word' | 'pluginReference' | 'options' | 'secrets' | 'added'> {
  return {
    prefix: others.prefix,
    isolation: isolation?.scope ?? (sharedWords.has(word) ? 'tenant' : 'session'),
    ...(isolation?.process !== undefined && { process: isolation.process }),
    timeoutMs: timeout ?? usual.timeoutMs,
    askTimeoutMs: askTimeout,
    runsOn: others.runsOn,
    maxLinks: others.maxLinks,
    concurrency: others.concurrency,
    queue: others.queue,
    retry: others.retry,
    idleMs: idle,
    appDomain: others.appDomain,
    pins: pinsFor(name, pins, usual.pins),
  }
}

type CheckedOptions =
  | { readonly kind: 'options'; readonly value: unknown; readonly secrets: readonly string[] }
  | { readonly kind: 'findings'; readonly findings: readonly Finding[] }

/** Checks options with the schema of a plugin, which may come from anywhere and fail itself. */
function checkOptions(
  plugin: ConfigurablePlugin,
  value: JsonObject,
  source: Omit<IssueSource, 'notes'>,
  notesOf: NotesOf,
): CheckedOptions {
  try {
    const notes = notesOf(plugin)
    const taken = notes.words([]).find((word) => commonWords.includes(word))
    if (taken !== undefined) {
      const got = `a plugin with an option "${taken}" of its own, which never gets a value`
      const next = `Give the option of the plugin another name: "${taken}" is an option of every backend.`
      return pluginFault(source, got, `options other than ${oneOf(commonWords.toSorted())}`, next)
    }
    const options = z.safeParse(plugin.config, value)
    if (!options.success) {
      return { kind: 'findings', findings: findingsFromIssues(options.error.issues, { ...source, notes }) }
    }
    // A schema may change a value, and both forms are secret.
    const secrets = [...new Set([...notes.secretsIn(value), ...notes.secretsIn(options.data)])]
    return { kind: 'options', value: options.data, secrets }
  } catch (error) {
    const got = `a plugin whose schema fails with: ${String(error).split('\n', 1)[0]}`
    const next = 'Give the plugin a schema of zod 4 without asynchronous checks.'
    return pluginFault(source, got, 'a schema that works', next)
  }
}

function pluginFault(
  { path }: Pick<IssueSource, 'path'>,
  got: string,
  expected: string,
  next: string,
): Extract<CheckedOptions, { kind: 'findings' }> {
  return {
    kind: 'findings',
    findings: [{ kind: 'plugin_not_loaded', path: [...path, 'plugin'], at: 'value', got, expected, next }],
  }
}
