import { sep } from 'node:path'
import type { LoadedPlugin } from '@junctor/config'
import { type ProcessGuard, silentLog } from '@junctor/contracts'
import type { JsonObject, JsonValue } from '@junctor/jsonrpc'
import { JunctorError } from '@junctor/protocol'
import { type Plugin, pluginContract } from '@junctor/plugin-sdk'
import * as z from 'zod'
import { errorOf } from '@junctor/primitives'
import { pluginFault, schemaFault } from '../plugin-fault.ts'
import { resolvePlugin } from '../resolve-plugin.ts'
import { readSourceGraph } from '../source-graph.ts'
import type { IsolatedPlugin } from './is-isolated.ts'
import { createIsolatedBackend, type IsolatedModule } from './isolated-backend.ts'
import { askProcess, checkedSchema, loadedSchema, pluginRequests, pluginService } from './plugin-requests.ts'
import { type PluginProcess, startPluginProcess } from './start-plugin-process.ts'

/** The isolated plugins that a configuration file names while it is read. Their processes run until `close`. */
export interface IsolatedPlugins {
  /** By the word that names them. After a check that failed it has the reason. */
  readonly loaded: ReadonlyMap<string, LoadedPlugin<Plugin>>
  /**
   * Checks the options that a parse has met, where they are not checked yet. Returns whether there were any: then the
   * configuration must be parsed again, with the results. Never rejects.
   */
  check(): Promise<boolean>
  close(): Promise<void>
}

/** The memory of a process that only loads a plugin and checks its options, in bytes. */
const readingBytes = 512 * 1024 ** 2

/** Longer than a module may take to load, and a loop to be found, so that the reason is known. In milliseconds. */
const answerMs = 15_000

/** Loads plugins, each in a process of its own: importing a module runs its code. */
export async function openIsolatedPlugins(
  references: readonly string[],
  folder: string,
  guard: ProcessGuard,
): Promise<IsolatedPlugins> {
  const opened = await Promise.all(references.map((reference) => open(reference, folder, guard)))
  return {
    get loaded() {
      return new Map(references.map((reference, index) => [reference, opened[index]?.loaded ?? notLoaded(reference)]))
    },
    async check() {
      const checked = await Promise.all(opened.map((one) => one.check()))
      return checked.includes(true)
    },
    async close() {
      await Promise.all(opened.flatMap((one) => one.process?.end() ?? []))
    },
  }
}

/** Without options to check, and without control messages to handle. */
const nothing = async (): Promise<boolean> => false
const onControl = (): void => {}

interface Opened {
  readonly loaded: LoadedPlugin<Plugin>
  readonly process: PluginProcess | undefined
  check(): Promise<boolean>
}

async function open(reference: string, folder: string, guard: ProcessGuard): Promise<Opened> {
  const module = resolvePlugin(reference, folder)
  if (module.kind === 'failed') return { loaded: module, process: undefined, check: nothing }
  const { file } = module
  const options = { ...module, backend: reference, folder, memoryBytes: readingBytes, guard, log: silentLog, onControl }
  const process = startPluginProcess(options)
  const graph = await readSourceGraph(file)
  const watched = file.split(sep).includes('node_modules') ? {} : { files: graph.files }
  try {
    const ask = { backend: reference, service: pluginService, withinMs: answerMs }
    const gone = process.ended.then((error) => Promise.reject(error))
    const answer = askProcess(process.calls, { ...ask, method: pluginRequests.load, body: null, answer: loadedSchema })
    const found = await Promise.race([answer, gone])
    if (found.kind === 'failed') return { loaded: { ...found, ...watched }, process, check: nothing }
    const checked = new CheckedOptions()
    const plugin = isolatedPlugin(module, graph.version, found.name, checked.schema(found.schema))
    let loaded: LoadedPlugin<Plugin> = { kind: 'loaded', plugin, ...watched }
    return {
      get loaded() {
        return loaded
      },
      process,
      async check() {
        const values = checked.unchecked
        if (values.length === 0) return false
        const question = { ...ask, method: pluginRequests.check, body: values as JsonValue[], answer: checkedSchema }
        const answered = await Promise.race([askProcess(process.calls, question), gone]).catch((error: unknown) =>
          schemaFault(`${file}: ${errorOf(error).message}`),
        )
        if (answered.kind === 'checked') checked.keep(values, answered.issues)
        else loaded = { ...answered, ...watched }
        return true
      },
    }
  } catch (error) {
    return { loaded: { ...loadingFault(file, error), ...watched }, process, check: nothing }
  }
}

/** The options that parses have met, and the findings of the plugin's own schema. */
class CheckedOptions {
  readonly #issues = new Map<string, readonly JsonObject[] | undefined>()

  get unchecked(): readonly unknown[] {
    return [...this.#issues].flatMap(([text, issues]) => (issues === undefined ? [JSON.parse(text)] : []))
  }

  keep(values: readonly unknown[], issues: readonly (readonly JsonObject[])[]): void {
    for (const [index, value] of values.entries()) this.#issues.set(JSON.stringify(value), issues[index] ?? [])
  }

  /**
   * A schema that stands for the plugin's: it says what is known, and takes what is not checked yet.
   *
   * @param described the JSON Schema of the options
   */
  schema(described: JsonObject): z.ZodType {
    const schema = z.unknown().transform((value, { issues }) => {
      const text = JSON.stringify(value)
      const known = this.#issues.get(text)
      if (known === undefined) this.#issues.set(text, undefined)
      for (const issue of known ?? []) issues.push({ ...issue, input: value } as unknown as z.core.$ZodRawIssue)
      return value
    })
    // zod writes into what it gets.
    schema['_zod'].toJSONSchema = () => structuredClone(described)
    return schema
  }
}

function isolatedPlugin(module: IsolatedModule, version: string, name: string, config: z.ZodType): IsolatedPlugin {
  return {
    contract: pluginContract,
    name,
    key: 'plugin',
    config,
    code: `${module.file} ${version}`,
    create() {
      throw new JunctorError('BUG', 'expected a process for a plugin that may not run in this one')
    },
    createIn: (process, options, context) => createIsolatedBackend(module, process, options, context),
  }
}

function loadingFault(file: string, error: unknown): LoadedPlugin<never> {
  const why = errorOf(error).message
  return pluginFault(`${file}: ${why}`, 'a module that loads', `Run it alone to see more: node ${file}`)
}

function notLoaded(reference: string): LoadedPlugin<never> {
  return pluginFault(JSON.stringify(reference), 'a module that loads', 'Check the name.')
}
