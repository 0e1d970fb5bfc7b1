export type { HttpToolsConfig } from './config.ts'
export { httpToolsPlugin } from './plugin.ts'
