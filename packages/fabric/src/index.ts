export { createMemoryBus, type MemoryBus } from './memory-bus.ts'
export { createMemoryFabric } from './memory-fabric.ts'
export { createNodeName, isNodeName } from './node-name.ts'
