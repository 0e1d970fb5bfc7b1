import { dirname, resolve } from 'node:path'
import { isJsonObject, type JsonObject } from '@junctor/jsonrpc'
import { profiles } from '@junctor/protocol'
import manifest from '../package.json' with { type: 'json' }
import type { ConfigurablePlugin } from './backends/configurable-plugin.ts'
import type { KnownPlugins } from './backends/choose-plugin.ts'
import type { LoadedPlugins } from './backends/loaded-plugin.ts'
import { placed } from './backends/placed.ts'
import { checkAccess } from './checks/check-access.ts'
import { checkBackends } from './checks/check-backends.ts'
import { checkDomains } from './checks/check-domains.ts'
import { checkPins } from './checks/check-pins.ts'
import { checkRecords } from './checks/check-records.ts'
import { checkSections } from './checks/check-sections.ts'
import { checkTenants } from './checks/check-tenants.ts'
import { checkWorkers } from './checks/check-workers.ts'
import { readPem } from './checks/read-pem.ts'
import { readToolPins, toolPinsFileOf } from './checks/read-tool-pins.ts'
import type { Config, ServerConfig } from './config.ts'
import { asYaml } from './document/blank-comments.ts'
import { type Position, readDocument, type SourceDocument } from './document/document.ts'
import { resolveReferences } from './document/references.ts'
import { type Finding, type Path, pathText, type Problem } from './problem.ts'
import type { ProblemKind } from './problem-kind.ts'
import type { Sections } from './schema/sections.ts'
import { suggest } from './suggest.ts'

/** How a configuration's text is read. */
export interface ParseOptions<Plugin extends ConfigurablePlugin = ConfigurablePlugin> {
  /** The file's name as problems show it. */
  readonly file: string
  /** Where relative paths in the file start. Default: the folder of the file. */
  readonly folder?: string
  /** The built-in plugins. */
  readonly plugins: readonly Plugin[]
  /** The other plugins that backends name: `inNode` of `namedPlugins`. Default: none. */
  readonly loaded?: LoadedPlugins<Plugin>
  /** Like `loaded`, for backends whose plugin has a process of its own. */
  readonly isolated?: LoadedPlugins<Plugin>
  /** The variables for `${env:NAME}`; usually `process.env`. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/** A valid configuration, or all its problems in the order of the file. */
export type ParsedConfig<Plugin extends ConfigurablePlugin = ConfigurablePlugin> = (
  | {
      readonly kind: 'valid'
      readonly config: Config<Plugin>
      /** The position of each backend in the file, by name, for later messages about it. */
      readonly positions: ReadonlyMap<string, Position>
    }
  | { readonly kind: 'invalid'; readonly problems: readonly Problem[] }
) & {
  /**
   * The other files that it depends on, absolute: those of `${file:…}`, of `tls`, of plugins and of approved tools, also
   * when they could not be read.
   */
  readonly files: readonly string[]
}

/**
 * Parses a configuration: YAML or JSON as described in `docs/configuration.md`, or another client's file with
 * `mcpServers` or `servers`. Reads only the files that it refers to and that of the approved tools beside it, and changes
 * nothing. A file whose name ends in `.json` or `.jsonc` may contain JavaScript comments.
 */
export function parseConfig<Plugin extends ConfigurablePlugin>(
  text: string,
  {
    file,
    folder = dirname(resolve(file)),
    plugins,
    loaded = new Map(),
    isolated = new Map(),
    env,
  }: ParseOptions<Plugin>,
): ParsedConfig<Plugin> {
  const read = readDocument(asYaml(text, file))
  if (read.kind === 'unreadable') {
    const problems = read.problems.map(({ position, ...fault }) => ({ file, ...position, path: '', ...fault }))
    return { kind: 'invalid', problems, files: [] }
  }
  const { value: written } = read.document
  const checked = isJsonObject(written)
    ? checkFile(written, { file, folder }, { builtIn: plugins, loaded, isolated }, env)
    : noMapping(written)
  const { files } = checked
  if (checked.kind === 'config') {
    const { config, paths } = checked
    const positions = new Map([...paths].map(([name, path]) => [name, read.document.position(path, 'key')]))
    return { kind: 'valid', config, positions, files }
  }
  const problems = checked.findings.map((finding) => problem(finding, file, read.document))
  return { kind: 'invalid', problems: problems.toSorted((a, b) => a.line - b.line || a.column - b.column), files }
}

type Checked<Plugin extends ConfigurablePlugin> = (
  | { readonly kind: 'config'; readonly config: Config<Plugin>; readonly paths: ReadonlyMap<string, Path> }
  | { readonly kind: 'findings'; readonly findings: readonly Finding[] }
) & { readonly files: readonly string[] }

function checkFile<Plugin extends ConfigurablePlugin>(
  written: JsonObject,
  { file, folder }: { readonly file: string; readonly folder: string },
  plugins: KnownPlugins<Plugin>,
  env: ParseOptions['env'],
): Checked<Plugin> {
  const references = resolveReferences(placed(written, file), { env, folder })
  const checked = checkSections(references.value as JsonObject, written)
  const { sections } = checked
  const pinsFile = toolPinsFileOf(resolve(file))
  const read = readToolPins(pinsFile)
  const approved = read.kind === 'pins' ? read.approved : {}
  const backends = checkBackends(checked, written, { plugins, replaced: references.replaced, approved })
  const pins = checkPins(sections.pins ?? 'off', { read, file: pinsFile }, backends.backends, backends.paths)
  const tenants = checkTenants(sections, written, backends.names)
  const tls = sections.listen?.http.tls && readPem(sections.listen.http.tls, written, folder)
  const others = [
    ...checked.findings,
    ...backends.findings,
    ...checkWorkers(sections, backends.backends, backends.paths),
    ...checkDomains(written, backends.backends, backends.paths),
    ...tenants.findings,
    ...checkAccess(sections, written, tenants, backends.names),
    ...checkRecords(sections, folder),
    ...(tls?.findings ?? []),
    ...pins.findings,
  ]
  // If a reference is unresolved, other problems of the same value are only consequences.
  const lost = new Set(references.findings.map(({ path }) => pathText(path)))
  const own = others.filter(({ path, kind }) => !lost.has(pathText(path)) && !isConsequence(kind, checked.findings))
  const findings = [...references.findings, ...own]
  const modules = [...plugins.loaded.values(), ...plugins.isolated.values()].flatMap((plugin) => plugin.files ?? [])
  const files = [...new Set([...references.files, ...(tls?.files ?? []), ...pins.files, ...modules])]
  if (findings.length > 0) return { kind: 'findings', findings, files }

  return {
    kind: 'config',
    files,
    paths: backends.paths,
    config: configOf(sections as Sections, {
      folder,
      tls: tls?.tls,
      backends: backends.backends,
      approved,
      tenants: tenants.tenants,
    }),
  }
}

/** The sections whose names a problem of this kind depends on. */
const sources: Readonly<Partial<Record<ProblemKind, readonly string[]>>> = {
  unknown_backend: ['backends', 'mcpServers'],
  unknown_tenant: ['tenants'],
}

/** Whether a problem only follows from a section that could not be read, or whose word has a typing error. */
function isConsequence(kind: ProblemKind, inSections: readonly Finding[]): boolean {
  const faulty = inSections.filter(({ path }) => path.length === 1).map(({ path }) => String(path[0]))
  return (sources[kind] ?? []).some((section) => faulty.some((word) => suggest(word, [section]) === section))
}

/** The parts of a configuration that do not come from its sections unchanged. */
interface CheckedParts<Plugin extends ConfigurablePlugin> extends Pick<
  Config<Plugin>,
  'folder' | 'backends' | 'tenants'
> {
  readonly tls: Config['listen']['http']['tls']
  readonly approved: Config['pins']['approved']
}

function configOf<Plugin extends ConfigurablePlugin>(
  sections: Sections,
  { folder, tls, backends, approved, tenants }: CheckedParts<Plugin>,
): Config<Plugin> {
  const {
    listen,
    fabric,
    server,
    publicUrl,
    profile,
    timeout,
    gatewayTools,
    pins,
    events,
    audit,
    discovery,
    auth,
    secrets,
    limits,
  } = sections
  return {
    folder,
    listen: { http: { ...listen.http, tls }, admin: listen.admin, nats: listen.nats },
    fabric,
    server: serverOf(server, profile),
    publicUrl,
    profile,
    timeoutMs: timeout,
    backends,
    gatewayTools,
    pins: { mode: pins, approved },
    events: { ...events, file: events.file && resolve(folder, events.file) },
    audit: { ...audit, file: audit.file && resolve(folder, audit.file) },
    tenants,
    discovery,
    auth,
    secrets,
    limits: limits.limits,
  }
}

function noMapping(written: unknown): Checked<never> {
  const got = Array.isArray(written) ? 'a list' : typeof written === 'string' ? 'text' : `a ${typeof written}`
  const next = 'Write words and what they stand for, for example: backends: {}'
  const finding: Finding = { kind: 'not_a_mapping', path: [], at: 'value', got, expected: 'a mapping', next }
  return { kind: 'findings', findings: [finding], files: [] }
}

function problem({ path, at, ...rest }: Finding, file: string, document: SourceDocument): Problem {
  return { file, ...document.position(path, at), path: pathText(path), ...rest }
}

/** The written `serverInfo`; what is left out is that of the profile, else that of Junctor. */
function serverOf({ name, version }: Sections['server'], profile: string): ServerConfig {
  const usual = profiles[profile]?.server ?? { name: 'junctor', version: manifest.version }
  return { name: name ?? usual.name, version: version ?? usual.version }
}
