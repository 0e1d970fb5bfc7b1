import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { configuredSecrets, type ParsedConfig, parseConfig, type Problem } from '@junctor/config'
import type { NodeConfig } from '@junctor/node'
import { loadPlugin } from '@junctor/node/plugins'
import type { Plugin } from '@junctor/plugin-sdk'
import { createTestPluginContext, findMisbehaviour } from '@junctor/plugin-sdk/testing'
import { createRedaction, errorOf, printable } from '@junctor/primitives'
import { countsOf, offeredLists } from '../check/offered-lists.ts'
import { type TriedBackend, tryBackend } from '../check/try-backend.ts'
import { optionProblem } from '../plugin/option-problem.ts'
import { type CheckLine, type CheckProblem, failed, passed } from './check-line.ts'
import type { Probe, ProbeNews } from './probe.ts'

type Report = (news: ProbeNews) => void
type Backend = NodeConfig['backends'][number]

/** How long the backend may take to start, in milliseconds. */
const startMs = 30_000

/** How long the backend may hold something after its close, in milliseconds. */
const releaseMs = 1_000

/** The name of the backend in the configuration that the check makes. */
const backendName = 'plugin'

/** Loads a plugin as the gateway does, starts it with the options, and checks its behaviour. Runs code of its author. */
export async function runProbe(probe: Probe, report: Report): Promise<void> {
  report({ kind: 'begun', check: 'load' })
  const loaded = await loadPlugin(probe.reference, probe.folder)
  if (loaded.kind === 'failed') {
    const { got, expected, next } = loaded
    const problem = { problem: printable(`got ${got}, expected ${expected}`), next: printable(next) }
    report({ kind: 'line', line: failed('load', 'it cannot be loaded', problem) })
    return
  }
  const { plugin } = loaded
  report({ kind: 'line', line: passed('load', printable(plugin.name)) })
  const held = heldResources()

  report({ kind: 'begun', check: 'options' })
  const parsed = parseOptions(probe, plugin)
  if (parsed.kind === 'invalid') {
    report({ kind: 'line', line: failed('options', 'they do not fit', ...parsed.problems.map(ofOption)) })
    return
  }
  const count = Object.keys(probe.options).length
  report({ kind: 'line', line: passed('options', count === 0 ? 'none are needed' : `${count} given`) })
  const [backend] = parsed.config.backends
  if (backend === undefined || !(await starts(parsed.config, backend, report)) || !probe.isWhole) return

  report({ kind: 'begun', check: 'behaviour' })
  report({ kind: 'line', line: await behaviourOf(backend, probe) })
  report({ kind: 'begun', check: 'close' })
  report({ kind: 'line', line: await releases(held) })
}

/** The options in a configuration with one backend: they are checked, and their references replaced, as in a file. */
function parseOptions({ reference, options, optionsFolder }: Probe, plugin: Plugin): ParsedConfig<Plugin> {
  return parseConfig(JSON.stringify({ backends: { [backendName]: { ...options, plugin: reference } } }), {
    file: join(optionsFolder, 'options.json'),
    plugins: [],
    loaded: new Map([[reference, { kind: 'loaded', plugin }]]),
    env: process.env,
  })
}

function ofOption(problem: Problem): CheckProblem {
  const { message, next } = optionProblem(problem, backendName)
  return { problem: message, next }
}

/** Starts the backend in a node of its own, and reads its lists as the gateway does. */
async function starts(config: NodeConfig, backend: Backend, report: Report): Promise<boolean> {
  report({ kind: 'begun', check: 'start' })
  const tried = await tryBackend(config, backend, startMs, createRedaction(configuredSecrets(config)))
  report({ kind: 'line', line: startLine(tried) })
  if (tried.state === 'failed') return false
  report({ kind: 'offered', names: Object.values(offeredLists(tried)).flat().toSorted() })
  return true
}

function startLine(tried: TriedBackend): CheckLine {
  if (tried.state === 'failed') {
    const { got, expected, next } = tried.diagnosis
    return failed('start', 'it does not start', { problem: `got ${got}, expected ${expected}`, next })
  }
  const { warnings, unclosed } = tried
  const counts = countsOf(offeredLists(tried))
  const changed = 'Mend the item: clients see it as the gateway has changed it, or not at all.'
  const held = 'Release in "close" what the backend holds, and let it end.'
  const problems = [
    ...warnings.map((problem) => ({ problem, next: changed })),
    ...unclosed.map((problem) => ({ problem, next: held })),
  ]
  if (problems.length === 0) return passed('start', counts.join(', ') || 'it offers nothing')
  return failed('start', counts.join(', '), ...problems)
}

async function behaviourOf({ plugin, options }: Backend, { calls, optionsFolder }: Probe): Promise<CheckLine> {
  try {
    const backend = await plugin.create(options, { ...createTestPluginContext(), folder: optionsFolder })
    const found = await findMisbehaviour(backend, { calls })
    const problems = found.map(({ problem, next }) => ({ problem: printable(problem), next }))
    return problems.length === 0
      ? passed('behaviour', 'as clients and the gateway need it')
      : failed('behaviour', 'it breaks rules', ...problems)
  } catch (error) {
    const message = errorOf(error).message
    const next = 'Make "create" and "open" work more than once: each configured backend is made of its own.'
    return failed('behaviour', 'it fails', { problem: printable(message), next })
  }
}

/** What keeps this process running, by kind. */
function heldResources(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}

/** After the close nothing may be held that was not held when the plugin was loaded. */
async function releases(before: ReadonlyMap<string, number>): Promise<CheckLine> {
  const until = performance.now() + releaseMs
  let kept: readonly string[]
  do {
    // oxlint-disable-next-line no-await-in-loop -- what was closed is gone some turns later
    await setTimeout(20)
    kept = [...heldResources()].filter(([kind, count]) => count > (before.get(kind) ?? 0)).map(([kind]) => kind)
  } while (kept.length > 0 && performance.now() < until)
  if (kept.length === 0) return passed('close', 'nothing is left')
  const next = 'Release in "close" what the backend holds: clear timers, close sockets, end processes.'
  return failed('close', 'something is left', { problem: `after its close it holds ${kept.join(', ')}`, next })
}
