import { JunctorError } from '@junctor/protocol'

/**
 * What whoever called may be told of something that a handler threw: the message, if an author wrote it. Messages of
 * the operating system and of Junctor itself name files, addresses and commands; they are for the log.
 */
export function toldMessage(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || thrown instanceof JunctorError || 'syscall' in thrown) return undefined
  return thrown.message
}
