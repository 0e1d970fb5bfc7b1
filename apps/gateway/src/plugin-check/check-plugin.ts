import { existsSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { JsonObject } from '@junctor/jsonrpc'
import { type CheckLine, failed, passed, skipped } from './check-line.ts'
import { checkTypes } from './check-types.ts'
import { manifestFindings } from './manifest-problems.ts'
import { packPlugin } from './pack-plugin.ts'
import type { Probe, SafeCall } from './probe.ts'
import { type Probed, startProbe } from './start-probe.ts'

/** What `junctor plugin check` is asked for. */
export interface PluginCheckOptions {
  /** The folder of a package, or a file. It exists. */
  readonly path: string
  readonly options: JsonObject
  /** Where relative paths in the options start, absolute. */
  readonly optionsFolder: string
  readonly calls: readonly SafeCall[]
  /** The words that start a process for the code of the plugin, after Node's own. */
  readonly program: readonly string[]
}

/** The sources that a package may have beside what it exports, which is often built from them. */
const sources = ['src/index.ts', 'src/index.mts', 'src/index.js', 'src/index.mjs']

/**
 * Checks a plugin: whether it loads, starts and behaves, its types, and whether its packed form works as well. Nothing
 * in its folder is changed, except by the scripts of its package.
 *
 * @param report called with each check that has ended
 */
export async function checkPlugin(options: PluginCheckOptions, report: (line: CheckLine) => void): Promise<void> {
  const path = resolve(options.path)
  const isFolder = statSync(path).isDirectory()
  const source = isFolder ? (sources.map((name) => join(path, name)).find(existsSync) ?? path) : path
  const folder = isFolder ? path : dirname(path)
  const { optionsFolder, calls, program } = options
  const probe: Probe = { reference: source, folder, options: options.options, optionsFolder, calls, isWhole: true }
  const probed = await startProbe(probe, program)
  for (const line of probed.lines) report(line)
  report(await checkTypes(folder, source))
  if (!isFolder || !existsSync(join(folder, 'package.json'))) {
    report(skipped('packed', 'there is no package.json', 'Give the folder of a package; junctor plugin new makes one.'))
    return
  }
  for (const line of await packedLines(folder, probe, probed, program)) report(line)
}

/** Packs and installs the package elsewhere, and loads it there as a gateway would. */
async function packedLines(
  folder: string,
  probe: Probe,
  { offered }: Probed,
  program: readonly string[],
): Promise<readonly CheckLine[]> {
  const target = realpathSync(mkdtempSync(join(tmpdir(), 'junctor-packed-')))
  try {
    const packed = await packPlugin(folder, target)
    if (packed.kind === 'impossible') {
      return [skipped('packed', `there is no ${packed.program} here`, `Install ${packed.program}.`)]
    }
    if (packed.kind === 'failed') return [failed('packed', 'it cannot be packed', packed.problem)]
    const { name: reference, manifest, files, missing } = packed
    const { problems, warnings } = manifestFindings(manifest)
    const state = problems.length > 0 ? 'failed' : warnings.length > 0 ? 'warning' : 'ok'
    const first: CheckLine = { check: 'manifest', state, about: reference, problems: [...problems, ...warnings] }
    if (missing.some((name) => !provided.includes(name))) {
      return [
        first,
        skipped(
          'packed',
          `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not installed`,
          'Run: npm install',
        ),
      ]
    }
    const loaded = await startProbe({ ...probe, reference, folder: target, isWhole: false }, program)
    return [first, packedLine(loaded, offered, files)]
  } finally {
    rmSync(target, { recursive: true, force: true })
  }
}

/** What a gateway gives a package that does not find them. */
const provided = ['@junctor/plugin-sdk', 'zod']

function packedLine({ lines, offered }: Probed, expected: Probed['offered'], files: readonly string[]): CheckLine {
  const problems = lines.filter(({ state }) => state === 'failed').flatMap((line) => line.problems)
  if (problems.length > 0) return failed('packed', `of ${files.length} files: ${files.join(', ')}`, ...problems)
  if (expected !== undefined && offered?.join() !== expected.join()) {
    const [theirs, ours] = [offered?.join(', ') || 'nothing', expected.join(', ') || 'nothing']
    return failed('packed', 'it is another one than the source', {
      problem: `the packed form offers ${theirs}, the source ${ours}`,
      next: 'Build it before it is packed: "scripts": { "prepack": "npm run build" }.',
    })
  }
  return passed('packed', `${files.length} files, loaded from node_modules`)
}
