import { JunctorError } from '@junctor/protocol'
import { expect, test } from 'vitest'
import { failureOf } from './failure-of.ts'

const systemError = (code: string, message: string): Error => Object.assign(new Error(message), { code })

test.each([
  [
    new JunctorError('LISTEN_FAILED', 'Cannot listen on 127.0.0.1:3000', {
      cause: systemError('EADDRINUSE', 'listen EADDRINUSE: address already in use 127.0.0.1:3000'),
    }),
    'Cannot listen on 127.0.0.1:3000: listen EADDRINUSE: address already in use 127.0.0.1:3000',
    'Another program listens there. Stop it, or choose another port with --port or --admin-port; 0 takes a free one.',
  ],
  [
    new JunctorError('LISTEN_FAILED', 'Cannot listen', { cause: systemError('EWHATEVER', 'what') }),
    'Cannot listen: what',
    'Choose another address with --host and --port, or listen.http in the configuration.',
  ],
  [
    new JunctorError('BACKEND_UNREACHABLE', 'the server cannot be reached: getaddrinfo ENOTFOUND mcp.example.com', {
      cause: systemError('ENOTFOUND', 'getaddrinfo ENOTFOUND mcp.example.com'),
    }),
    'the server cannot be reached: getaddrinfo ENOTFOUND mcp.example.com',
    'Check its command or url in the configuration. It is tried again when a client needs it.',
  ],
  [
    new JunctorError('BACKEND_UNREACHABLE', 'Backend "one" could not be started with "npx"', {
      cause: systemError('EMFILE', 'spawn npx EMFILE'),
    }),
    'Backend "one" could not be started with "npx": spawn npx EMFILE',
    'No file descriptor is free in this process. Raise its limit (ulimit -n).',
  ],
  [
    new JunctorError('BACKEND_UNREACHABLE', 'The authorization server does not answer', {
      cause: new Error('the metadata cannot be read', { cause: systemError('ENFILE', 'getaddrinfo ENFILE') }),
    }),
    'The authorization server does not answer: the metadata cannot be read',
    'No file descriptor is free on this machine. Raise its limit, or end other programs.',
  ],
  [
    new JunctorError('BUG', 'Oops: no memory', { cause: new Error('no memory') }),
    'Oops: no memory',
    'Run with --log-level debug to see more.',
  ],
  [
    new JunctorError('CONFIG_INVALID', 'No tenant'),
    'No tenant',
    'Correct the configuration, or the options of the command.',
  ],
  [new JunctorError('BUG', 'Oops'), 'Oops', 'Run with --log-level debug to see more.'],
  [new Error('boom'), 'boom', 'This is a fault in Junctor or in a plugin. Run with --log-level debug.'],
  ['boom', 'boom', 'This is a fault in Junctor or in a plugin. Run with --log-level debug.'],
])('%s', (thrown, message, next) => {
  expect(failureOf(thrown)).toEqual({ message, next })
})
