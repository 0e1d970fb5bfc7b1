/**
 * Files that run long, which start before all others. vitest starts large files first: a small one that runs long would
 * start last, and the other processors would wait for it at the end. A run prints the list of its slowest files.
 */
export const longest: readonly string[] = [
  'apps/e2e/test/guides.test.ts',
  'tools/faults/test/faults.test.ts',
  'tools/conformance/test/through-gateway.test.ts',
  'tools/bench/src/bench.test.ts',
  'packages/node/test/plugins/isolated-backend.test.ts',
  'apps/e2e/test/credentials.test.ts',
  'apps/gateway/test/plugin-check.test.ts',
  'apps/e2e/test/coming-from.test.ts',
  'apps/e2e/test/stateless-backends.test.ts',
  'tools/faults/test/fuzz.test.ts',
  'tools/faults/test/storm.test.ts',
  'packages/fabric-nats/test/permissions.test.ts',
  'apps/e2e/test/peers/everything.test.ts',
  'tools/reference/test/reference.test.ts',
  'packages/fabric-nats/test/nats-fabric.test.ts',
  'plugins/mcp/test/contract.test.ts',
  'apps/worker/test/worker.test.ts',
]

/** Puts the files that take longest first, and leaves all others in their order. */
export function longestFirst<File>(files: readonly File[], pathOf: (file: File) => string): File[] {
  const rank = (file: File): number => {
    const index = longest.findIndex((name) => pathOf(file).endsWith(`/${name}`))
    return index === -1 ? longest.length : index
  }
  return files.toSorted((one, other) => rank(one) - rank(other))
}
