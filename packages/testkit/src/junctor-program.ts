import { fileURLToPath } from 'node:url'

/**
 * The file of the `junctor` command that tests run with Node. The test command builds it as it is published, which starts
 * in half the time, and sets this variable; without it, tests run the sources.
 */
export const junctorProgram: string =
  process.env['TEST_JUNCTOR_PROGRAM'] ?? fileURLToPath(new URL('../../../apps/gateway/src/main.ts', import.meta.url))

/**
 * What follows `node` to start the command often. Its garbage is collected in its own thread, because others have no
 * processor of their own in a run of all tests: a start takes a twelfth less of the processor's time. Its young garbage has
 * the room of a start from the beginning, and V8 has one thread more, not four: another twentieth. MiB.
 */
export const junctorArgs: readonly string[] = [
  '--single-threaded-gc',
  '--min-semi-space-size=32',
  '--max-semi-space-size=32',
  '--v8-pool-size=1',
  junctorProgram,
]
