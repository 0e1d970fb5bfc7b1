import { resolve } from 'node:path'
import { enterChain, type Failure } from '@junctor/command'
import { type ExitCode, exitCodes } from '@junctor/command/exit'
import { findConfig } from '@junctor/config'
import { readConfig } from '@junctor/node'
import { check } from '../check/check.ts'
import { createTextCheckReport } from '../check/check-report.ts'
import { plugins } from '../plugins.ts'
import type { Questions } from '../report/questions.ts'
import { createTextReport } from '../report/text-report.ts'
import type { AddOptions } from './add-options.ts'
import type { AddTarget } from './add-target.ts'
import { offerText } from './offer-text.ts'
import { planBackend } from './plan-backend.ts'
import { missingText, planText } from './plan-text.ts'
import { openConfig, writeBackend } from './write-backend.ts'
import { showsColors } from '../report/shows-colors.ts'

/** What `add` uses of the process around it. */
export interface AddEnvironment {
  readonly process: NodeJS.Process
  readonly questions: Questions | undefined
  readonly isHere: (program: string) => boolean
}

/**
 * Plans a backend, shows it, asks, writes it, and tries it. Returns the exit code of the command.
 */
export async function add(
  target: AddTarget,
  options: AddOptions,
  { process, questions, isHere }: AddEnvironment,
): Promise<ExitCode> {
  const { stderr } = process
  const folder = process.cwd()
  const failed = (failure: Failure, code: ExitCode = exitCodes.failed): ExitCode => {
    createTextReport(stderr, showsColors(stderr)).failed(failure)
    return code
  }
  const planned = await planBackend(target, options, { folder, questions, isHere })
  if (planned.kind === 'missing') {
    stderr.write(missingText(planned.server, planned.questions))
    return exitCodes.usage
  }
  if (planned.kind !== 'planned') return failed(planned.failure, codeOf(planned.kind))
  const file = resolve(folder, options.config ?? findConfig(folder) ?? 'junctor.yaml')
  const config = openConfig(file, planned.plan, options.name)
  if (config.kind !== 'opened') return failed(config.failure, codeOf(config.kind))
  const { opened } = config
  stderr.write(planText(planned.plan, opened.name, file))
  const refusal = await notAgreed(options, questions)
  if (refusal !== undefined) return failed(refusal, questions === undefined ? exitCodes.usage : exitCodes.failed)
  const unwritten = writeBackend(opened, planned.plan)
  if (unwritten !== undefined) return failed(unwritten)
  return tryAdded(file, opened.name, options.timeout, process)
}

function codeOf(kind: 'misused' | 'failed'): ExitCode {
  return kind === 'misused' ? exitCodes.usage : exitCodes.failed
}

/** Why nothing is written: the user has not agreed to what was shown. */
async function notAgreed({ yes }: AddOptions, questions: Questions | undefined): Promise<Failure | undefined> {
  if (yes === true) return undefined
  if (questions === undefined)
    return { message: 'nothing was written', next: 'When you have read this, run it again as: junctor add --yes …' }
  const answer = await questions.ask('\nAdd it, and try it now? (yes or no)')
  if (answer !== undefined && /^y(?:es)?$/i.test(answer)) return undefined
  return { message: 'nothing was written', next: 'Run it again, and answer yes.' }
}

/** Starts or reaches the new backend as `junctor check` does, and prints what it offers. */
async function tryAdded(file: string, name: string, timeoutMs: number, process: NodeJS.Process): Promise<ExitCode> {
  const { stdout } = process
  stdout.write(`Added ${name} to ${file}.\n`)
  const report = createTextCheckReport(process)
  const parsed = await readConfig(file, { plugins, env: process.env })
  if (parsed.kind === 'invalid') {
    report.invalid(parsed.problems)
    return exitCodes.config
  }
  enterChain(file, process.env)
  report.starting([name])
  const checked = await check(file, parsed, timeoutMs, (backend) => report.tried(backend), name)
  report.checked(checked)
  const [tried] = checked.backends
  if (tried?.state === 'up') stdout.write(offerText(tried))
  const tenants = parsed.config.tenants.filter(({ backends }) => backends.includes(name))
  if (tenants.length === 0) stdout.write(`No tenant has it: add ${name} to the "backends" of a tenant.\n`)
  return checked.problems.length === 0 ? exitCodes.done : exitCodes.backend
}
