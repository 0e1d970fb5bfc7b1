import { Command } from 'commander'
import { exitCodes } from '@junctor/command/exit'
import { readSecret } from '../report/read-secret.ts'

/** Minimum length in characters. */
const shortest = 8

const help = `
The hash goes into the configuration of the login server:

  backends:
    login: { authServer: { users: { ada: { password: "$scrypt$ln=15..." } } } }

Hashes of scrypt and Argon2 that other programs have made may be there too.

Passwords are not taken from the command line, where other programs could read them.

Examples:
  junctor hash-password                        asks for it twice, if this is a terminal
  junctor hash-password <password.txt
  systemd-ask-password | junctor hash-password

Exit codes:
  ${exitCodes.done}  the hash was printed
  ${exitCodes.usage}  the command line cannot be used, the password is too short, or was typed in two ways`

/** `junctor hash-password`. */
export function createHashPasswordCommand(process: NodeJS.Process): Command {
  return new Command('hash-password')
    .description('print the hash of a password from standard input, for users of the login server')
    .addHelpText('after', help)
    .action(async (_options: unknown, command: Command) => {
      const password = (await readSecret(process, 'The password')).replace(/\r?\n$/, '')
      if (password.length < shortest) {
        command.error(
          `error: expected a password of at least ${shortest} characters on standard input, got ${password.length}`,
        )
      }
      if (process.stdin.isTTY && (await readSecret(process, 'The password again')) !== password) {
        command.error('error: expected the same password twice, got two different ones')
      }
      const { hashPassword } = await import('@junctor/plugin-auth-server')
      process.stdout.write(`${await hashPassword(password)}\n`)
    })
}
