import { Argument, Command } from 'commander'
import { bashScript } from '../completion/bash-script.ts'
import { completedCommand } from '../completion/completed-command.ts'
import { fishScript } from '../completion/fish-script.ts'
import { zshScript } from '../completion/zsh-script.ts'
import { exitCodes } from '@junctor/command/exit'

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const

const help = `
Examples:
  eval "$(junctor completion bash)"          in ~/.bashrc
  source <(junctor completion zsh)           in ~/.zshrc, after compinit
  junctor completion fish | source           in ~/.config/fish/config.fish

Exit codes:
  ${exitCodes.done}  the script was printed
  ${exitCodes.usage}  the command line cannot be used`

/** `junctor completion`. */
export function createCompletionCommand(process: Pick<NodeJS.Process, 'stdout'>): Command {
  return new Command('completion')
    .description('print the script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'which shell').choices(Object.keys(scripts)))
    .addHelpText('after', help)
    .action((shell: keyof typeof scripts, _options: unknown, { parent }: Command) => {
      if (parent !== null) process.stdout.write(scripts[shell](completedCommand(parent)))
    })
}
