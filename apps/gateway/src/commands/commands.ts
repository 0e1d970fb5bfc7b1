import type { CommandMaker } from './command-maker.ts'

/**
 * The commands by name, in the order of the help. Each is loaded on demand, because together they are most of Junctor.
 */
export const commands: Readonly<Record<string, () => Promise<CommandMaker>>> = {
  init: async () => (await import('./init-command.ts')).createInitCommand,
  add: async () => (await import('./add-command.ts')).createAddCommand,
  serve: async () => (await import('./serve-command.ts')).createServeCommand,
  check: async () => (await import('./check-command.ts')).createCheckCommand,
  pins: async () => (await import('./pins-command.ts')).createPinsCommand,
  tools: async () => (await import('./tools-command.ts')).createToolsCommand,
  call: async () => (await import('./call-command.ts')).createCallCommand,
  backend: async () => (await import('./backend-command.ts')).createBackendCommand,
  status: async () => (await import('./status-command.ts')).createStatusCommand,
  plugin: async () => (await import('./plugin-command.ts')).loadPluginCommand(),
  events: async () => (await import('./events-command.ts')).createEventsCommand,
  'hash-key': async () => (await import('./hash-key-command.ts')).createHashKeyCommand,
  'hash-password': async () => (await import('./hash-password-command.ts')).createHashPasswordCommand,
  completion: async () => (await import('./completion-command.ts')).createCompletionCommand,
}
