import { createLoadingErrors } from '@junctor/node'
import { createStderrLines, watchProcess } from '@junctor/command'
import { exitCodes } from '@junctor/command/exit'
import { createLog } from '@junctor/telemetry'
import { processLogLevels } from '@junctor/telemetry/log-levels'
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { createReport } from './report.ts'
import { runWorker, type WorkerWords } from './run-worker.ts'

const help = `
Without --config: junctor.yaml, junctor.yml or junctor.json in this folder, the same file as for gateways. The worker runs
the backends with "runsOn: workers". Gateways find it through the fabric, which must be NATS.
On SIGHUP, and when the file changes, it applies the new configuration. All output goes to standard error.

Examples:
  junctor-worker --config junctor.yaml                    all backends that run on workers
  junctor-worker --config junctor.yaml --backend search   one of them; --backend may be given more than once

Exit codes:
  ${exitCodes.done}  stopped by SIGTERM or SIGINT, after the calls under way; a second signal stops it immediately (143, 130)
  ${exitCodes.failed}  failed
  ${exitCodes.usage}  the command line cannot be used
  ${exitCodes.config}  the configuration cannot be used
  ${exitCodes.listen}  the admin port is not available`

/** Runs the command line of a process. `given` are the words after the names of the program and its file. */
export async function runProgram(given: readonly string[], process: NodeJS.Process): Promise<void> {
  const words = given[0] === '--' ? given.slice(1) : given
  const program = new Command('junctor-worker')
    .description('Run backends for the gateways of a cluster.')
    .version(manifest.version)
    .option('-c, --config <file>', 'the configuration, in YAML or JSON')
    .option('-b, --backend <name...>', 'run only this backend, or these')
    .option('--admin-port <number>', 'the admin port; 0 for a free one', port)
    .option('--json', 'when ready or failed, print one line of JSON')
    .addOption(new Option('--log-level <level>', 'what to log').choices(processLogLevels).default('info'))
    .addHelpText('after', help)
    .exitOverride()
    .showHelpAfterError('Run "junctor-worker --help" to see what is possible.')
    .action(async (options: WorkerWords) => {
      const output = createStderrLines(process.stderr)
      const log = createLog(output, { level: options.logLevel })
      const { lastResort, stop } = watchProcess(process, log, createLoadingErrors(log))
      const report = createReport(output, options.json)
      process.exitCode = await runWorker(options, { process, log, report, lastResort, stop })
    })
  try {
    await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    process.exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.usage
  }
}

function port(text: string): number {
  const value = Number(text)
  if (/^\d{1,5}$/.test(text) && value <= 65_535) return value
  throw new InvalidArgumentError('Expected a number from 0 to 65535.')
}
