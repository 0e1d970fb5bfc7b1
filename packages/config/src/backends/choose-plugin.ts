import type { JsonObject } from '@junctor/jsonrpc'
import { describeValue } from '../findings/describe-value.ts'
import { oneOf } from '../findings/expectation.ts'
import type { IssueSource } from '../findings/from-issues.ts'
import { memberAt } from '../findings/member-at.ts'
import type { Finding, Path } from '../problem.ts'
import { commonWords } from '../schema/backend-schema.ts'
import { suggest } from '../suggest.ts'
import type { ConfigurablePlugin } from './configurable-plugin.ts'
import type { LoadedPlugins } from './loaded-plugin.ts'

/** The plugin of a backend, and the word that has selected it; or why there is none. */
export type PluginChoice<Plugin extends ConfigurablePlugin> =
  | { readonly kind: 'chosen'; readonly plugin: Plugin; readonly word: string }
  | { readonly kind: 'undecided'; readonly finding: Finding }

/** The plugins that backends can use. */
export interface KnownPlugins<Plugin extends ConfigurablePlugin> {
  readonly builtIn: readonly Plugin[]
  readonly loaded: LoadedPlugins<Plugin>
  /** Those that were loaded in processes of their own. */
  readonly isolated: LoadedPlugins<Plugin>
}

/** The word that selects a plugin by its name, package or path. The other words are then options of that plugin. */
const byName = 'plugin'

/** Where the file has a backend, and how, with unreplaced references. */
type Place = Pick<IssueSource, 'path' | 'written'>

/** Chooses the plugin of a backend by the one word that selects a plugin. */
export function choosePlugin<Plugin extends ConfigurablePlugin>(
  options: JsonObject,
  place: Place,
  plugins: KnownPlugins<Plugin>,
): PluginChoice<Plugin> {
  if (Object.hasOwn(options, byName)) return chooseByName(options[byName], placeOfName(place), plugins)
  const { builtIn } = plugins
  const words = [...new Set([byName, ...builtIn.flatMap(wordsOf)])].toSorted()
  const present = words.filter((word) => Object.hasOwn(options, word))
  const [word] = present
  const taken = commonWords.find((common) => words.includes(common) && memberAt(place.written, [common]) !== undefined)
  if (word === undefined && taken !== undefined) return takenWord(place.path, taken)
  if (word === undefined || present.length > 1) return undecided(options, place.path, words, present)
  const [plugin, other] = [...new Set(builtIn)].filter((candidate) => wordsOf(candidate).includes(word))
  if (other !== undefined && plugin !== undefined) return undecidable(place.path, word, [plugin.name, other.name])
  return plugin === undefined ? undecided(options, place.path, words, []) : { kind: 'chosen', plugin, word }
}

/** Chooses the plugin of a backend that runs in a process of its own. */
export function chooseIsolatedPlugin<Plugin extends ConfigurablePlugin>(
  options: JsonObject,
  place: Place,
  { builtIn, isolated }: KnownPlugins<Plugin>,
): PluginChoice<Plugin> {
  const name = options[byName]
  if (typeof name === 'string' && !builtIn.some((candidate) => candidate.name === name)) {
    return chooseByName(name, placeOfName(place), { builtIn: [], loaded: isolated })
  }
  const got = typeof name === 'string' ? `"process" for ${name}, which is built in` : '"process"'
  const expected = '"session", "tenant" or "shared"'
  const next = 'Only a plugin that is a package or a path has a process of its own.'
  return {
    kind: 'undecided',
    finding: { kind: 'wrong_value', path: [...place.path, 'isolation'], at: 'value', got, expected, next },
  }
}

function wordsOf({ key }: ConfigurablePlugin): readonly string[] {
  return typeof key === 'string' ? [key] : key
}

function placeOfName({ path, written }: Place): Place {
  return { path: [...path, byName], written: memberAt(written, [byName]) }
}

function chooseByName<Plugin extends ConfigurablePlugin>(
  name: unknown,
  { path, written }: Place,
  { builtIn, loaded }: Pick<KnownPlugins<Plugin>, 'builtIn' | 'loaded'>,
): PluginChoice<Plugin> {
  const candidates = builtIn.filter((candidate) => wordsOf(candidate).includes(byName))
  const plugin = candidates.find((candidate) => candidate.name === name)
  if (plugin !== undefined) return { kind: 'chosen', plugin, word: byName }
  const other = typeof name === 'string' ? loaded.get(name) : undefined
  if (other?.kind === 'loaded') return { kind: 'chosen', plugin: other.plugin, word: byName }
  const names = candidates.map((candidate) => candidate.name)
  const suggestion = typeof name === 'string' ? suggest(name, names) : undefined
  const hint = suggestion && `Did you mean "${suggestion}"?`
  if (other !== undefined) {
    const { got, expected, next } = other
    const finding = { kind: 'plugin_not_loaded', path, at: 'value', got, expected, next: hint ?? next } as const
    return { kind: 'undecided', finding }
  }
  return {
    kind: 'undecided',
    finding: {
      kind: 'unknown_plugin',
      path,
      at: 'value',
      got: describeValue(written, path),
      expected: oneOf(names),
      next: hint ?? 'Name a plugin that this gateway includes.',
    },
  }
}

/** The finding for two plugins that are built into this gateway under the same word. */
function undecidable(path: Path, word: string, names: readonly string[]): PluginChoice<never> {
  const got = `${word}, which is the word of ${names.join(' and of ')}`
  const next = 'Give one of the two another key in definePlugin, or leave it out of the plugins of this gateway.'
  const expected = 'a word of one plugin'
  return { kind: 'undecided', finding: { kind: 'backend_kind', path: [...path, word], at: 'key', got, expected, next } }
}

/** The finding for a built-in plugin whose word is an option of every backend, and so cannot select the plugin. */
function takenWord(path: Path, word: string): PluginChoice<never> {
  const got = `${word}, which is an option of every backend and the word of a plugin`
  const next = 'Give the plugin another key in definePlugin.'
  const expected = 'a word that only selects a plugin'
  return { kind: 'undecided', finding: { kind: 'backend_kind', path: [...path, word], at: 'key', got, expected, next } }
}

function undecided(
  options: JsonObject,
  path: Path,
  words: readonly string[],
  present: readonly string[],
): PluginChoice<never> {
  const expected = `exactly one of the words ${oneOf(words)}`
  if (present.length > 1) {
    const next = 'Keep the word that describes the backend, and remove the others.'
    return {
      kind: 'undecided',
      finding: { kind: 'backend_kind', path, at: 'key', got: present.join(' and '), expected, next },
    }
  }
  const written = Object.keys(options)
  const suggestion = written.map((word) => suggest(word, words)).find((word) => word !== undefined)
  const got = written.length === 0 ? 'nothing' : written.join(', ')
  const next = suggestion === undefined ? 'Add a word that describes the backend.' : `Did you mean "${suggestion}"?`
  return { kind: 'undecided', finding: { kind: 'backend_kind', path, at: 'key', got, expected, next } }
}
