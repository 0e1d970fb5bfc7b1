import type { Command } from 'commander'

/** Creates a command for a process. */
export type CommandMaker = (process: NodeJS.Process) => Command
