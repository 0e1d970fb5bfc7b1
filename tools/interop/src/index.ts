export { type Gateway, startGateway } from './start-gateway.ts'
