/** From a package's name to the names it imports. */
export type Edges = ReadonlyMap<string, ReadonlySet<string>>

/** All cycles that a walk along the edges finds, each once, as `[a, b, a]`. */
export function findCycles(edges: Edges): string[][] {
  const cycles: string[][] = []
  const finished = new Set<string>()

  const walk = (name: string, path: readonly string[]): void => {
    const start = path.indexOf(name)
    if (start >= 0) {
      cycles.push([...path.slice(start), name])
      return
    }
    if (finished.has(name)) return
    for (const next of edges.get(name) ?? []) walk(next, [...path, name])
    finished.add(name)
  }

  for (const name of edges.keys()) walk(name, [])
  return cycles
}
