import { parseArgs, type ParseArgsConfig } from 'node:util'

/**
 * Parses the command line. Words that the command does not know end the process with exit code 2, after a message and
 * the help.
 */
export function readWords<const Config extends ParseArgsConfig>(
  config: Config,
  help: string,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config)
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${help}`)
    return process.exit(2)
  }
}
