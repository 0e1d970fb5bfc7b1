export { defaultFrontLimits, type FrontLimits } from '../options.ts'
export { createNatsFront, type NatsFront, type NatsFrontOptions } from './nats-front.ts'
