import { exitCodes } from '@junctor/command/exit'
import { homeFolder } from '../home-folder.ts'
import { failCommand } from '../report/fail-command.ts'
import { createQuestions } from '../report/questions.ts'
import type { InitOptions } from './init-options.ts'
import { initText } from './init-text.ts'
import { init } from './init.ts'
import { linkedNode } from './linked-node.ts'

/** Writes a configuration, and prints what to do with it. */
export async function runInit(process: NodeJS.Process, options: InitOptions): Promise<void> {
  const { stdin, stdout, stderr, execPath, argv, platform } = process
  const asks = stdin.isTTY && stderr.isTTY && options.yes !== true
  const questions = asks ? createQuestions(process) : undefined
  try {
    const folder = process.cwd()
    const done = await init(options, { folder, home: homeFolder(), platform, questions })
    if (done.kind === 'written') {
      stdout.write(initText(done, { execPath: linkedNode(execPath), program: argv[1] ?? '' }, folder))
    } else failCommand(process, done.failure, done.kind === 'misused' ? exitCodes.usage : exitCodes.failed)
  } finally {
    questions?.close()
  }
}
