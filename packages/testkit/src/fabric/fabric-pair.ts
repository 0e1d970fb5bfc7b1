import type { Fabric } from '@junctor/contracts'
import { afterEach, beforeEach } from 'vitest'

/** Two nodes in their own cluster. */
export interface FabricPair {
  readonly fabrics: readonly [Fabric, Fabric]
  /** Cleans up; either fabric may have been closed before. */
  close(): Promise<void>
}

/** Creates two fabrics of one cluster, for one test. */
export type CreateFabrics = () => Promise<FabricPair>

/** The pair of the current test. */
export interface CurrentPair {
  readonly near: Fabric
  readonly far: Fabric
}

/** Makes a pair before each test of the current suite and closes it afterwards. */
export function pairForEachTest(create: CreateFabrics): CurrentPair {
  let pair: FabricPair
  beforeEach(async () => {
    pair = await create()
  })
  afterEach(async () => {
    await pair.close()
  })
  return {
    get near() {
      return pair.fabrics[0]
    },
    get far() {
      return pair.fabrics[1]
    },
  }
}
