/** Returns the definitions that are in a cycle with one, itself included. Empty: it is in none. */
export type CycleFinder = (name: string) => ReadonlySet<string>

/** A definition whose references are being followed. */
interface Visit {
  readonly name: string
  readonly targets: readonly string[]
  /** The index of the next target. */
  next: number
  /** Its place among the open visits, and the lowest place that it leads back to. */
  readonly place: number
  lowest: number
}

/**
 * Finds cycles of references by Tarjan's algorithm: each definition is visited once, whichever is asked for first. It does
 * not recurse, because documents may have chains of any length.
 *
 * @param targetsOf the definitions that one refers to
 */
export function createCycleFinder(targetsOf: (name: string) => readonly string[]): CycleFinder {
  const found = new Map<string, ReadonlySet<string>>()

  const search = (first: string): void => {
    const open = new Map<string, Visit>()
    const places: Visit[] = []
    const path: Visit[] = []
    const enter = (name: string): Visit => {
      const place = places.length
      const visit = { name, targets: targetsOf(name), next: 0, place, lowest: place }
      open.set(name, visit)
      places.push(visit)
      path.push(visit)
      return visit
    }
    const leave = (visit: Visit): void => {
      path.pop()
      const parent = path.at(-1)
      if (parent !== undefined) parent.lowest = Math.min(parent.lowest, visit.lowest)
      if (visit.lowest < visit.place) return
      const names = places.splice(visit.place).map(({ name }) => name)
      const isCycle = names.length > 1 || visit.targets.includes(visit.name)
      const cycle = new Set(isCycle ? names : [])
      for (const name of names) {
        found.set(name, cycle)
        open.delete(name)
      }
    }
    for (let visit: Visit | undefined = enter(first); visit !== undefined; visit = path.at(-1)) {
      const target = visit.targets[visit.next]
      visit.next += 1
      if (target === undefined) leave(visit)
      else if (found.has(target)) continue
      else visit.lowest = Math.min(visit.lowest, (open.get(target) ?? enter(target)).place)
    }
  }

  return (name) => {
    if (!found.has(name)) search(name)
    return found.get(name) ?? new Set()
  }
}
