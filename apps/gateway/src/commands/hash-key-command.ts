import { Command } from 'commander'
import { exitCodes } from '@junctor/command/exit'
import { readSecret } from '../report/read-secret.ts'

/** Minimum length in characters. Shorter keys could be guessed: a plain hash does not slow an attacker down. */
const shortest = 20

const help = `
A key must be random; its hash goes into the configuration:

  auth:
    apiKeys:
      my-laptop: { hash: "sha256:..." }

Examples:
  openssl rand -hex 32 | tee key.txt | junctor hash-key
  junctor hash-key "$API_KEY"

Exit codes:
  ${exitCodes.done}  the hash was printed
  ${exitCodes.usage}  the command line cannot be used, or the key is not acceptable`

/** `junctor hash-key`. */
export function createHashKeyCommand(process: NodeJS.Process): Command {
  return new Command('hash-key')
    .description('print the hash of an API key, for auth.apiKeys')
    .argument('[key]', 'the key; without it, standard input is read')
    .addHelpText('after', help)
    .action(async (argument: string | undefined, _options: unknown, command: Command) => {
      const key = (argument ?? (await readSecret(process, 'The key'))).trim()
      const problem = problemOf(key)
      if (problem !== undefined) command.error(`error: ${problem}`)
      const { hashApiKey } = await import('@junctor/auth')
      process.stdout.write(`${hashApiKey(key)}\n`)
    })
}

function problemOf(key: string): string | undefined {
  const next = 'Make one with: openssl rand -hex 32'
  if (key.length < shortest) return `expected a key of at least ${shortest} characters, got ${key.length}. ${next}`
  if (!/^[\w.~+/-]+=*$/.test(key)) return `expected a key of letters, digits and -._~+/ only. ${next}`
  return undefined
}
