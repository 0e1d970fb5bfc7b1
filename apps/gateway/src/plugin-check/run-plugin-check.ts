import { type ExitCode, exitCodes } from '@junctor/command/exit'
import type { PluginOptions } from '../plugin/plugin-options.ts'
import type { CheckLine } from './check-line.ts'
import { createJsonPluginReport, createTextPluginReport } from './plugin-check-report.ts'
import type { Probe, ProbeNews, SafeCall } from './probe.ts'

/** What the user typed. */
export interface PluginCheckWords {
  readonly options?: PluginOptions
  readonly call?: readonly SafeCall[]
  readonly json?: true
  readonly probe?: true
}

/** Checks a plugin and its package, and prints what it finds; or runs the code of the plugin, for such a check. */
export async function runPluginCheck(process: NodeJS.Process, path: string, words: PluginCheckWords): Promise<void> {
  if (words.probe === true) return serveProbe(process)
  const { checkPlugin } = await import('./check-plugin.ts')
  const { stdout } = process
  const report = words.json === true ? createJsonPluginReport(stdout) : createTextPluginReport(stdout)
  const { options, folder } = words.options ?? { options: {}, folder: process.cwd() }
  const lines: CheckLine[] = []
  const program = [process.argv[1] ?? '', 'plugin', 'check', '--probe']
  await checkPlugin({ path, options, optionsFolder: folder, calls: words.call ?? [], program }, (line) => {
    lines.push(line)
    report.checked(line)
  })
  report.done(lines)
  process.exitCode = codeOf(lines)
}

/** The other side of `startProbe`: one probe, whose news are sent as messages. */
async function serveProbe(process: NodeJS.Process): Promise<void> {
  const probe = await new Promise<Probe>((resolved) => process.once('message', resolved))
  const { runProbe } = await import('./run-probe.ts')
  await runProbe(probe, (news: ProbeNews) => process.send?.(news))
  // The process ends when this has been sent.
  await new Promise<unknown>((sent) => process.send?.({ kind: 'done' } satisfies ProbeNews, sent))
}

/** Options take precedence over behaviour, and behaviour over the package. */
function codeOf(lines: readonly CheckLine[]): ExitCode {
  const names = lines.filter(({ state }) => state === 'failed').map(({ check }) => check)
  if (names.includes('options')) return exitCodes.config
  const ofPackage = ['types', 'manifest', 'packed']
  if (names.some((name) => !ofPackage.includes(name))) return exitCodes.backend
  return names.length > 0 ? exitCodes.failed : exitCodes.done
}
