export { exampleServers } from './example-servers.ts'
