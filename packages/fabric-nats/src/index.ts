export { createNatsFabric, type NatsFabricOptions } from './nats-fabric.ts'
