import { dirname, resolve } from 'node:path'
import { isJsonObject, type JsonObject } from '@junctor/jsonrpc'
import type { ConfigurablePlugin } from './backends/configurable-plugin.ts'
import { checkAccess } from './checks/check-access.ts'
import { checkBackends } from './checks/check-backends.ts'
import { checkSections } from './checks/check-sections.ts'
import { checkTenants } from './checks/check-tenants.ts'
import { readPem } from './checks/read-pem.ts'
import type { Config } from './config.ts'
import { readDocument, type SourceDocument } from './document/document.ts'
import { resolveReferences } from './document/references.ts'
import { type Finding, pathText, type Problem } from './problem.ts'
import type { Sections } from './schema/sections.ts'

export interface ParseOptions {
  /** The file's name as problems show it; relative paths in the file start from its folder. */
  readonly file: string
  /** The plugins that backends can be of. */
  readonly plugins: readonly ConfigurablePlugin[]
  /** What `${env:NAME}` refers to: most likely `process.env`. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/** A configuration that can be run, or all that is wrong with it, in the order of the file. */
export type ParsedConfig =
  | { readonly kind: 'valid'; readonly config: Config }
  | { readonly kind: 'invalid'; readonly problems: readonly Problem[] }

/**
 * Reads a configuration: YAML or JSON, as `docs/configuration.md` describes it, or another client's file with
 * `mcpServers`. Reads the files that it refers to, and nothing else; changes nothing.
 */
export function parseConfig(text: string, { file, plugins, env }: ParseOptions): ParsedConfig {
  const read = readDocument(text)
  if (read.kind === 'unreadable') {
    const problems = read.problems.map(({ position, ...told }) => ({ file, ...position, path: '', got: '', ...told }))
    return { kind: 'invalid', problems }
  }
  const { value: written } = read.document
  const checked = isJsonObject(written) ? checkFile(written, dirname(resolve(file)), plugins, env) : noMapping(written)
  if (checked.kind === 'config') return { kind: 'valid', config: checked.config }
  const problems = checked.findings.map((finding) => problem(finding, file, read.document))
  return { kind: 'invalid', problems: problems.toSorted((a, b) => a.line - b.line || a.column - b.column) }
}

type Checked =
  | { readonly kind: 'config'; readonly config: Config }
  | { readonly kind: 'findings'; readonly findings: readonly Finding[] }

function checkFile(
  written: JsonObject,
  folder: string,
  plugins: readonly ConfigurablePlugin[],
  env: ParseOptions['env'],
): Checked {
  const references = resolveReferences(written, { env, folder })
  const { sections, findings: sectionFindings } = checkSections(references.value as JsonObject, written)
  const backends = checkBackends(sections, written, plugins)
  const tenants = checkTenants(sections, written, backends.names)
  const tls = sections.listen?.http.tls && readPem(sections.listen.http.tls, written, folder)
  const others = [
    ...sectionFindings,
    ...backends.findings,
    ...tenants.findings,
    ...checkAccess(sections, written, tenants.names),
    ...(tls?.findings ?? []),
  ]
  // Where a reference leads nowhere, what else is wrong with the value is only a consequence.
  const lost = new Set(references.findings.map(({ path }) => pathText(path)))
  const findings = [...references.findings, ...others.filter(({ path }) => !lost.has(pathText(path)))]
  if (findings.length > 0) return { kind: 'findings', findings }

  const { listen, fabric, server, publicUrl, timeout, gatewayTools, events, audit, auth, secrets, limits } =
    sections as Sections
  return {
    kind: 'config',
    config: {
      folder,
      listen: { http: { ...listen.http, tls: tls?.tls }, admin: listen.admin },
      fabric,
      server,
      publicUrl,
      timeoutMs: timeout,
      backends: backends.backends,
      gatewayTools,
      events: { ...events, file: events.file && resolve(folder, events.file) },
      audit: { file: audit.file && resolve(folder, audit.file) },
      tenants: tenants.tenants,
      auth,
      secrets,
      limits,
    },
  }
}

function noMapping(written: unknown): Checked {
  const got = Array.isArray(written) ? 'a list' : `a ${typeof written}`
  const next = 'Write words and what they stand for, for example: backends: {}'
  return { kind: 'findings', findings: [{ path: [], at: 'value', got, expected: 'a mapping', next }] }
}

function problem({ path, at, ...told }: Finding, file: string, document: SourceDocument): Problem {
  return { file, ...document.position(path, at), path: pathText(path), ...told }
}
