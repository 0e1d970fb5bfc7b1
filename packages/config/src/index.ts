export type { ConfigurablePlugin } from './backends/configurable-plugin.ts'
export type {
  AdminListenConfig,
  ApiKeyConfig,
  AuditConfig,
  AuthConfig,
  BackendConfig,
  Config,
  EventsConfig,
  FabricConfig,
  HttpListenConfig,
  IssuerConfig,
  ListenConfig,
  MembersConfig,
  NatsConfig,
  ProcessConfig,
  RatesConfig,
  SecretsConfig,
  ServerConfig,
  TokenServerConfig,
  TenantConfig,
  TlsConfig,
  ToolsConfig,
} from './config.ts'
export { approvedOf, readToolPins, type ReadToolPins, toolPinsFileOf } from './checks/read-tool-pins.ts'
export { keptFileOf, readKeptFile } from './checks/read-kept-file.ts'
export { type AddedProblem, checkAddedBackend, type CheckedAddition } from './checks/check-added-backend.ts'
export { type BackendsDiff, type ConfigDiff, diffBackends, wordsForRestart } from './diff-config.ts'
export { configNames, findConfig } from './find-config.ts'
export type { LimitsConfig } from './limits-config.ts'
export { type ConfigText, loadConfig, readConfigText } from './load-config.ts'
export type { LoadedPlugin, LoadedPlugins } from './backends/loaded-plugin.ts'
export { type NamedPlugins, namedPlugins } from './named-plugins.ts'
export { parseConfig, type ParsedConfig, type ParseOptions } from './parse-config.ts'
export type { Problem } from './problem.ts'
export type { ProblemKind } from './problem-kind.ts'
export { renderProblems, type RenderOptions } from './render-problems.ts'
export { sameBackend } from './same-backend.ts'
export { suggest } from './suggest.ts'
export { type ConfigWatch, watchConfig, type WatchOptions } from './watch-config.ts'
export { showBackendNamed, showConfig } from './show/show-config.ts'
export type { NotImported } from './import/foreign-text.ts'
export { type ImportPlace, importPlaces, projectPlaces } from './import/import-places.ts'
export { type ImportedServers, importServers } from './import/import-servers.ts'
export { insertBackend, type InsertedBackend, type NewBackend } from './edit/insert-backend.ts'
export { writtenBackends } from './edit/written-backends.ts'
export { printConfig } from './import/print-config.ts'
export { printYaml } from './document/print-yaml.ts'
export { escapeReferences } from './document/references.ts'
export { envName } from './import/env-name.ts'
export { legalName } from './backends/legal-name.ts'
export { untimelyCertificates } from './untimely-certificates.ts'
export { configuredSecrets } from './show/configured-secrets.ts'
