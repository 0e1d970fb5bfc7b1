import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type BackendConfig, type Config, showConfig } from '@junctor/config'
import { errorOf, printable, type Redact } from '@junctor/primitives'
import { isJsonObject, type JsonObject } from '@junctor/jsonrpc'
import { createNode, defaultLimits, type JunctorNode, type NodeConfig } from '@junctor/node'
import { diagnose } from './diagnose.ts'
import type { Diagnosis } from './diagnosis.ts'
import type { FailedAttempt } from './failed-attempt.ts'
import { captureProgramOutput } from './capture-program-output.ts'
import { plainMessage } from './plain-message.ts'

/** The result of the check of one backend. */
export type TriedBackend = {
  readonly name: string
  readonly tookMs: number
} & (
  | {
      readonly state: 'up'
      /** The name and version that it reports. */
      readonly server: string | undefined
      readonly revision: string | undefined
      /** Its own names, without the prefix. */
      readonly tools: readonly string[]
      /** The definitions of these tools. */
      readonly definitions: readonly JsonObject[]
      readonly prompts: readonly string[]
      readonly resources: readonly string[]
      readonly templates: readonly string[]
      /** Methods outside MCP. */
      readonly methods: readonly string[]
      /** Items of its lists that clients do not see, or not as the backend sent them. */
      readonly warnings: readonly string[]
      /** What could not be closed after the check. */
      readonly unclosed: readonly string[]
    }
  | { readonly state: 'failed'; readonly diagnosis: Diagnosis }
)

/**
 * Starts or connects to one backend of a configuration, and asks what it offers. Cleans up everything.
 *
 * @param redact removes secrets from the texts of the backend
 */
export async function tryBackend(
  config: NodeConfig,
  backend: NodeConfig['backends'][number],
  timeoutMs: number,
  redact: Redact,
): Promise<TriedBackend> {
  const { name } = backend
  const began = performance.now()
  const { log, words } = captureProgramOutput()
  const failed = (error: Error | undefined, reached: boolean): TriedBackend => {
    const tookMs = performance.now() - began
    const { error: lastWords, noise } = words()
    // The configuration of this backend alone: there may be thousands of others.
    const shown = showConfig(alone(config, backend), defaultLimits)['backends'] as Readonly<Record<string, JsonObject>>
    const diagnosis = diagnose({
      word: backend.word,
      options: shown[name] ?? {},
      error,
      reached,
      lastWords,
      noise,
      waitedMs: tookMs,
      program: programOf(config, backend),
    })
    return {
      state: 'failed',
      name,
      tookMs,
      diagnosis: { ...diagnosis, got: printable(redact(diagnosis.got)) },
    }
  }

  const over = new AbortController()
  const timeIsUp = setTimeout(timeoutMs, undefined, { signal: over.signal }).catch(() => undefined)
  const tryNode = async (node: JunctorNode): Promise<TriedBackend> => {
    const [status] = (await Promise.race([node.status(), timeIsUp])) ?? []
    // The time may be up between two attempts: the last one had a reason.
    if (status === undefined) return failed(words().warned, false)
    if (status.error !== undefined) return failed(status.error, status.state === 'up')
    return shownBackend(backend, status, performance.now() - began)
  }
  try {
    const node = await createNode({ config: alone(config, backend), log })
    const tried = await tryNode(node)
    const unclosed = await node.close().then(() => [], faultsOf)
    if (tried.state === 'failed') return tried
    return { ...tried, unclosed: unclosed.map((message) => printable(redact(`it did not close: ${message}`))) }
  } catch (error) {
    return failed(errorOf(error), false)
  } finally {
    over.abort()
  }
}

function shownBackend(
  backend: BackendConfig,
  { server, tools, definitions, prompts, resources, templates, methods, warnings }: Status,
  tookMs: number,
): TriedBackend {
  return {
    state: 'up',
    name: backend.name,
    tookMs,
    server: titleOf(server?.info),
    revision: server?.revision,
    tools,
    definitions,
    prompts,
    resources,
    templates,
    methods,
    warnings: [...sharedProgram(backend), ...warnings.map((warning) => printable(warning))],
    unclosed: [],
  }
}

type Status = Awaited<ReturnType<JunctorNode['status']>>[number]

/**
 * The warning for a program that several clients share: the gateway cannot know which client its messages belong to.
 */
function sharedProgram({ word, isolation }: BackendConfig): readonly string[] {
  if (word !== 'command' || isolation === 'session') return []
  const lost = 'it cannot ask its clients anything (sampling, elicitation, roots), nor show them its logs'
  return [`isolation: ${isolation} lets clients share the program, so ${lost}`]
}

/** The configuration with this backend only, run on this node, without clients and without files to write. */
function alone(config: NodeConfig, backend: NodeConfig['backends'][number]): NodeConfig {
  const everything = { allow: undefined, deny: [] }
  const [first] = config.tenants
  return {
    ...config,
    listen: { ...config.listen, admin: undefined },
    fabric: 'memory',
    backends: [{ ...backend, runsOn: 'gateways' }],
    tenants: first === undefined ? [] : [{ ...first, backends: [backend.name], tools: everything, members: undefined }],
    auth: { apiKeys: [], anonymous: false, issuer: undefined },
    events: { ...config.events, keep: 1, file: undefined },
    audit: { file: undefined },
  }
}

/**
 * Checks which files exist: the operating system reports the same error for a missing program, folder and interpreter.
 */
function programOf({ folder }: Config, { options }: BackendConfig): FailedAttempt['program'] {
  const { command, cwd } = isJsonObject(options) ? options : {}
  return {
    folder: typeof cwd !== 'string' || existsSync(resolve(folder, cwd)),
    file: typeof command === 'string' && /[\\/]/.test(command) && existsSync(resolve(folder, command)),
  }
}

/** The messages of what a node could not close. */
function faultsOf(error: unknown): readonly string[] {
  return (error instanceof AggregateError ? error.errors : [error]).map((each) => plainMessage(errorOf(each)))
}

function titleOf(info: JsonObject | undefined): string | undefined {
  const words = [info?.['name'], info?.['version']].filter((word) => typeof word === 'string')
  return words.length === 0 ? undefined : printable(words.join(' '))
}
