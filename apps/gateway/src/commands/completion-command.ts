import { Argument, Command } from 'commander'
import { completionScript, shells } from '../completion/completion-script.ts'
import { wordsOf } from '../completion/words-of.ts'

const help = `
Examples:
  junctor completion bash >> ~/.bashrc
  junctor completion zsh > ~/.zfunc/_junctor
  junctor completion fish > ~/.config/fish/completions/junctor.fish`

/** `junctor completion`: made from the commands themselves, so that it knows no other. */
export function createCompletionCommand(process: Pick<NodeJS.Process, 'stdout'>): Command {
  return new Command('completion')
    .description('print what makes a shell complete the words of this command')
    .addArgument(new Argument('<shell>').choices(shells))
    .addHelpText('after', help)
    .action((shell: (typeof shells)[number], _options: unknown, command: Command) => {
      if (command.parent !== null) process.stdout.write(completionScript(shell, wordsOf(command.parent)))
    })
}
