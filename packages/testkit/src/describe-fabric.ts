import { describe } from 'vitest'
import { describeFabricCalls } from './fabric/describe-calls.ts'
import { describeFabricLeaving } from './fabric/describe-leaving.ts'
import { describeFabricLogs } from './fabric/describe-logs.ts'
import { describeFabricNodes } from './fabric/describe-nodes.ts'
import { describeFabricQueues } from './fabric/describe-queues.ts'
import { describeFabricGauges } from './fabric/describe-gauges.ts'
import { describeFabricStores } from './fabric/describe-stores.ts'
import type { CreateFabrics } from './fabric/fabric-pair.ts'

/** The contract suite for implementations of `Fabric`. Each test has its own cluster. */
export function describeFabric(name: string, create: CreateFabrics): void {
  describe(`${name} is a fabric`, () => {
    describe('stores', () => {
      describeFabricStores(create)
    })
    describe('logs', () => {
      describeFabricLogs(create)
    })
    describe('queues', () => {
      describeFabricQueues(create)
    })
    describe('calls', () => {
      describeFabricCalls(create)
    })
    describe('nodes and controls', () => {
      describeFabricNodes(create)
    })
    describe('gauges', () => {
      describeFabricGauges(create)
    })
    describe('leaving', () => {
      describeFabricLeaving(create)
    })
  })
}
