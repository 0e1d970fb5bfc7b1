import { JunctorError } from '@junctor/protocol'

/**
 * The message that the caller may see of a value that a handler threw; `undefined` unless an author wrote it. Messages
 * of the operating system and of Junctor itself contain files, addresses and commands: those belong in the log.
 */
export function publicMessage(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || thrown instanceof JunctorError || 'syscall' in thrown) return undefined
  return thrown.message
}
