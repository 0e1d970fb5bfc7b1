export { peersIn } from './peers.ts'
