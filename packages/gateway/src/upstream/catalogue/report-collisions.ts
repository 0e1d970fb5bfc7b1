import type { ListKind, Log } from '@junctor/contracts'

/** Items or methods with the same public name. All are refused, so that the answer does not depend on their order. */
export interface Collision {
  readonly kind: ListKind | 'methods'
  readonly name: string
  readonly backends: readonly string[]
}

/** Logs the names that more than one backend offers. */
export function reportCollisions(log: Log, collisions: readonly Collision[]): void {
  for (const collision of collisions) {
    log.warn('two backends offer the same name: both are refused', { ...collision })
  }
}
