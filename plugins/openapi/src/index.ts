export { openApiPlugin } from './plugin.ts'
