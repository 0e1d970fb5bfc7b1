import type { Fabric } from '@junctor/contracts'
import { JunctorError, type LocalCode } from '@junctor/protocol'

/** A fault: the operation fails, after or without taking effect, or only takes long. */
export interface Fault {
  readonly done: boolean
  /** Whether it succeeds after `meanwhile`. */
  readonly succeeds?: boolean
  /** Default: `FABRIC_UNAVAILABLE`. */
  readonly code?: LocalCode
  /** Called before it fails or succeeds. */
  readonly meanwhile?: () => void | Promise<void>
}

/** The operation fails and has no effect. */
export const refused: Fault = { done: false }

/** The storage says that the operation has no effect. */
export const full: Fault = { done: false, code: 'FABRIC_REFUSED' }

/** Faults by `<name of the store or queue>.<method>`, or by the name alone for all its methods. */
export type Faults = Map<string, Fault>

/** A fabric whose storage fails as the current faults say. */
export function withFaults(fabric: Fabric, faults: Faults): Fabric {
  const storage: ReadonlySet<string | symbol> = new Set(['store', 'log', 'queue'])
  return bound(fabric, (method, run) => {
    if (!storage.has(method)) return run
    return (name: string, ...more: unknown[]) =>
      bound(run(name, ...more) as object, (operation, work) => async (...args: unknown[]) => {
        const fault = faults.get(`${name}.${String(operation)}`) ?? faults.get(name)
        const result = fault?.done === false ? undefined : await work(...args)
        if (fault === undefined) return result
        await fault.meanwhile?.()
        if (fault.succeeds === true) return result
        throw new JunctorError(fault.code ?? 'FABRIC_UNAVAILABLE', `no answer of ${name}.${String(operation)}`)
      })
  }) as Fabric
}

type Method = (...args: never[]) => unknown
type AnyMethod = (...args: unknown[]) => unknown

/** The same object, with changed methods. */
function bound(target: object, change: (name: string | symbol, method: AnyMethod) => Method): object {
  return new Proxy(target, {
    get(_target, name) {
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? change(name, value.bind(target) as AnyMethod) : value
    },
  })
}
