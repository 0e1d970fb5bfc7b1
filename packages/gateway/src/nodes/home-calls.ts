import type { Fabric } from '@junctor/contracts'
import type { Handler } from '@junctor/exchange'
import { serviceNames } from './service-names.ts'

/** Returns the handler that forwards requests to the home node of their session. */
export type HomeCalls = (home: string) => Handler

/** Creates the calls to homes of sessions. */
export function createHomeCalls(fabric: Pick<Fabric, 'call'>): HomeCalls {
  return (home) => (request, exchange) => fabric.call({ service: serviceNames.session, node: home }, request, exchange)
}
