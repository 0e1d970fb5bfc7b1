/**
 * The files, without `.ts`, of programs that tests start often and that have a lot of code to load: a run of all tests
 * builds them, and `programFile` of the testkit finds them.
 */
export const testPrograms: readonly string[] = [
  'apps/e2e/fixtures/both-eras-server',
  'apps/e2e/fixtures/stateless-server',
  'apps/e2e/fixtures/v1-server',
  'apps/e2e/fixtures/v2-server',
  'apps/worker/src/main',
  'apps/worker/test/support/tools-server',
  'packages/node/fixtures/serve-file',
  'packages/node/fixtures/unruly-plugin',
  'plugins/mcp/test/servers/stdio-main',
  'tools/bench/src/servers/fastify-server',
  'tools/bench/src/servers/junctor',
  'tools/bench/src/servers/worker',
  'tools/conformance/src/auth-driver',
  'tools/conformance/src/client-driver',
  'tools/conformance/src/fixture-backend',
]
