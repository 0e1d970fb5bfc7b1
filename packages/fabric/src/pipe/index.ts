export { checkedPayload } from './checked-payload.ts'
export { createPipeFabric, type PipeEnd, type PipeFabric } from './pipe-fabric.ts'
