import { JunctorError, type LocalCode } from '@junctor/protocol'
import { noDescriptors } from './no-descriptors.ts'

/** A message about a failure, and the remedy. */
export interface Failure {
  readonly message: string
  readonly next: string
}

const nextSteps: Partial<Record<LocalCode, string>> = {
  CONFIG_INVALID: 'Correct the configuration, or the options of the command.',
  LISTEN_FAILED: 'Choose another address with --host and --port, or listen.http in the configuration.',
  BACKEND_UNREACHABLE: 'Check its command or url in the configuration. It is tried again when a client needs it.',
  BACKEND_REFUSED: 'Check its credentials and its version. It is tried again when a client needs it.',
  BACKEND_EXITED: 'Run its command by itself to see why it ends, or look at its lines in the log.',
  FABRIC_UNAVAILABLE:
    'Check fabric.nats in the configuration: NATS must run there with JetStream, and accept the credentials.',
  TIMED_OUT: 'Raise its timeout if it is slow by nature. It is tried again when a client needs it.',
}

/** Common errors of a listening socket. */
const listenSteps: Readonly<Record<string, string>> = {
  EADDRINUSE:
    'Another program listens there. Stop it, or choose another port with --port or --admin-port; 0 takes a free one.',
  EACCES: 'Ports below 1024 need privileges. Choose another one with --port.',
  EADDRNOTAVAIL: 'This machine has no such address. Choose another one with --host.',
  ENOTFOUND: 'The host has no address. Choose another one with --host.',
}

/** Returns the failure for the user of a command: what went wrong, and what to do. */
export function failureOf(thrown: unknown): Failure {
  if (!(thrown instanceof JunctorError)) {
    return {
      message: messageOf(thrown),
      next: 'This is a fault in Junctor or in a plugin. Run with --log-level debug.',
    }
  }
  const cause = thrown.cause instanceof Error ? (thrown.cause as NodeJS.ErrnoException) : undefined
  const listens = thrown.code === 'LISTEN_FAILED' ? listenSteps[cause?.code ?? ''] : undefined
  const step = listens ?? noDescriptors(thrown)?.next ?? nextSteps[thrown.code]
  // Some problems have the text of their cause.
  const because = cause === undefined || thrown.problem.includes(cause.message) ? '' : `: ${cause.message}`
  return {
    message: `${thrown.problem}${because}`,
    next: step ?? 'Run with --log-level debug to see more.',
  }
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
