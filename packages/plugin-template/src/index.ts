export { packageFiles } from './package-files.ts'
export { type PluginName, readPluginName } from './plugin-name.ts'
export type { Files } from './source-files.ts'
export { workspaceFiles } from './workspace-files.ts'
