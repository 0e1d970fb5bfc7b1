import type { CompletedCommand } from './completed-command.ts'

/** All commands below a command, with the whole path as the name: `plugin`, `plugin new`. */
export function commandsBelow({ commands }: CompletedCommand): readonly CompletedCommand[] {
  return commands.flatMap((command) => [
    command,
    ...commandsBelow(command).map((below) => ({ ...below, name: `${command.name} ${below.name}` })),
  ])
}
