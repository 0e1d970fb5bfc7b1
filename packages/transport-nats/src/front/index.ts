export { defaultFrontLimits, type FrontLimits, type NatsLimits } from '../options.ts'
export { createNatsFront, type NatsFront, type NatsFrontOptions } from './nats-front.ts'
