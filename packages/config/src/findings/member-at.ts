import type { Path } from '../problem.ts'

/** Returns the value at a path below a value; `undefined` when there is none. */
export function memberAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (at, step) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, step)
        ? (at as Record<string | number, unknown>)[step]
        : undefined,
    value,
  )
}
