export { demoPlugin } from './plugin.ts'
