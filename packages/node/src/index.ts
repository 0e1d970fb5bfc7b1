export type { NodeStatus } from './node-status.ts'
export type { JunctorNode, NodeOptions } from './node.ts'
export { createNode } from './node.ts'
export type { Reloaded, ReloadState } from './reload.ts'
