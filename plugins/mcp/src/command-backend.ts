import { isAbsolute, resolve, sep } from 'node:path'
import type { Backend, Log, Emit } from '@junctor/plugin-sdk/link'
import { type ChildOptions, createChildTransport, type Guard } from '@junctor/transport-stdio/back'
import type { CommandConfig } from './config.ts'
import { createConnectionBackend } from './connection-backend.ts'

/** The program, and the guard that ends it when this process is killed. */
export interface CommandBackendOptions {
  readonly name: string
  readonly config: CommandConfig
  /** The folder that relative paths start from. */
  readonly folder: string
  readonly log: Log
  readonly emit: Emit
  readonly guard: Pick<Guard, 'child'>
}

/** A backend that is a program: each link starts it once, and ends it. */
export function createCommandBackend({ name, config, folder, log, emit, guard }: CommandBackendOptions): Backend {
  const child: ChildOptions = {
    backend: name,
    command: programPath(config.command, folder),
    args: config.args,
    cwd: config.cwd === undefined ? folder : resolve(folder, config.cwd),
    environment: config.env,
    // The code that made the guard closes it.
    guard,
    log,
    emit,
  }
  return createConnectionBackend({
    name,
    log,
    emit,
    era: config.era,
    connect: (receiver) => createChildTransport(child, receiver),
  })
}

/** A name without a folder is looked up on PATH; a relative path starts at the folder of the configuration. */
function programPath(command: string, folder: string): string {
  const isPath = command.includes('/') || command.includes(sep)
  return isPath && !isAbsolute(command) ? resolve(folder, command) : command
}
