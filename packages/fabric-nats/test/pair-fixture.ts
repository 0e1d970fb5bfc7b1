import { type NatsServer, startNatsServer } from '@junctor/testkit'
import { afterAll, beforeAll } from 'vitest'
import { acquainted, joinCluster, leaveCluster, type TestNode } from './nats-cluster.ts'

/** Two nodes that know each other. */
export interface PairFixture {
  readonly near: TestNode
  readonly far: TestNode
}

/** Joins the nodes of cluster `c` before the tests of a file, and closes them after it. */
export function pairFixture(): PairFixture {
  let server: NatsServer
  let near: TestNode
  let far: TestNode
  beforeAll(async () => {
    server = await startNatsServer()
    near = await joinCluster(server, { cluster: 'c' })
    far = await joinCluster(server, { cluster: 'c' })
    await acquainted([near, far])
  })
  afterAll(async () => {
    await leaveCluster(near)
    await leaveCluster(far)
    await server.stop()
  })
  return {
    get near() {
      return near
    },
    get far() {
      return far
    },
  }
}
