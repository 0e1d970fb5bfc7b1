export { createNatsFabric, type NatsFabricOptions } from './nats-fabric.ts'
export { serverProblem } from './server-problem.ts'
