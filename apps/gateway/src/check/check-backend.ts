import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type BackendConfig, type Config, showConfig } from '@junctor/config'
import { printable, type Redact } from '@junctor/primitives'
import { isJsonObject, type JsonObject } from '@junctor/jsonrpc'
import { createNode, defaultLimits } from '@junctor/node'
import { plugins } from '../plugins.ts'
import { diagnose } from './diagnose.ts'
import type { Diagnosis } from './diagnosis.ts'
import type { FailedAttempt } from './failed-attempt.ts'
import { keepLastWords } from './keep-last-words.ts'

/** How a backend was found. */
export type CheckedBackend = {
  readonly name: string
  readonly tookMs: number
} & (
  | {
      readonly state: 'up'
      /** What it says that it is: name and version. */
      readonly server: string | undefined
      readonly revision: string | undefined
      /** Under its own names. */
      readonly tools: readonly string[]
      readonly prompts: readonly string[]
      readonly resources: readonly string[]
      /** Outside MCP. */
      readonly methods: readonly string[]
      /** What it lists that clients are not shown, or not as it came. */
      readonly warnings: readonly string[]
    }
  | { readonly state: 'failed'; readonly diagnosis: Diagnosis }
)

/**
 * Starts one backend of a configuration, or connects to it, and asks what it offers. Leaves nothing behind.
 *
 * @param redact takes out of what it says what nobody may see
 */
export async function checkBackend(
  config: Config,
  backend: BackendConfig,
  timeoutMs: number,
  redact: Redact,
): Promise<CheckedBackend> {
  const { name } = backend
  const began = performance.now()
  const { log, words } = keepLastWords()
  const failed = (error: Error | undefined, reached: boolean): CheckedBackend => {
    const tookMs = performance.now() - began
    const { error: lastWords, noise } = words()
    // Of this one alone: it may be one of thousands.
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
  let node
  try {
    node = await createNode({ config: alone(config, backend), plugins, log })
    const [status] = (await Promise.race([node.status(), timeIsUp])) ?? []
    if (status === undefined || status.error !== undefined) return failed(status?.error, status?.state === 'up')
    const { server, tools, prompts, resources, methods, warnings } = status
    const tookMs = performance.now() - began
    return {
      state: 'up',
      name,
      tookMs,
      server: titleOf(server?.info),
      revision: server?.revision,
      tools,
      prompts,
      resources,
      methods,
      warnings: [...sharedProgram(backend), ...warnings.map((warning) => printable(warning))],
    }
  } catch (error) {
    return failed(error instanceof Error ? error : new Error(String(error)), false)
  } finally {
    over.abort()
    await node?.close()
  }
}

/** What a program that several clients share cannot do: what it says does not tell which of them it is about. */
function sharedProgram({ word, isolation }: BackendConfig): readonly string[] {
  if (word !== 'command' || isolation === 'session') return []
  const lost = 'it cannot ask its clients anything (sampling, elicitation, roots), nor show them its logs'
  return [`isolation: ${isolation} lets clients share the program, so ${lost}`]
}

/** The configuration with this backend only, here wherever it is to run, nobody to serve, and nothing that is written down. */
function alone(config: Config, backend: BackendConfig): Config {
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

/** The system says the same of a program, of its folder and of its interpreter that are not there. */
function programOf({ folder }: Config, { options }: BackendConfig): FailedAttempt['program'] {
  const { command, cwd } = isJsonObject(options) ? options : {}
  return {
    folder: typeof cwd !== 'string' || existsSync(resolve(folder, cwd)),
    file: typeof command === 'string' && /[\\/]/.test(command) && existsSync(resolve(folder, command)),
  }
}

function titleOf(info: JsonObject | undefined): string | undefined {
  const words = [info?.['name'], info?.['version']].filter((word) => typeof word === 'string')
  return words.length === 0 ? undefined : printable(words.join(' '))
}
