export { type ChildLimits, defaultChildLimits, type LineLimits } from '../options.ts'
export { ChildExited, type ChildExit } from './child-exited.ts'
export { type ChildOptions, type ChildTransport, createChildTransport } from './child-transport.ts'
export { createGuard, type Guard } from './guard/guard.ts'
