import { defaultTenant, defaultNameLength, isName } from '@junctor/protocol'
import * as z from 'zod'
import type { JsonObject } from '@junctor/jsonrpc'
import type { TenantConfig } from '../config.ts'
import { fieldNotes } from '../findings/field-notes.ts'
import { findingsFromIssues } from '../findings/from-issues.ts'
import { memberAt } from '../findings/member-at.ts'
import type { Finding, Path } from '../problem.ts'
import type { Sections } from '../schema/sections.ts'
import { type RateOptions, ratesOf } from '../schema/rates-schema.ts'
import { type TenantOptions, tenantSchema } from '../schema/tenant-schema.ts'
import { illegalName } from '../schema/values.ts'
import { unknownReference } from './unknown-reference.ts'

/**
 * The tenants of a file, with the problems that were found. A tenant with a problem is in `names` but not in
 * `tenants`.
 */
export interface CheckedTenants {
  /** The names of all declared tenants, including faulty ones, because keys may refer to them. */
  readonly names: readonly string[]
  readonly tenants: readonly TenantConfig[]
  readonly findings: readonly Finding[]
}

/** Checks the tenants. A file without tenants has one, `default`, with all backends. */
export function checkTenants(
  sections: Partial<Sections>,
  written: JsonObject,
  backends: readonly string[],
): CheckedTenants {
  const { tenants, limits, auth } = sections
  const inFile = [
    ...unknownInRates(limits?.rates, ['limits', 'rates'], backends),
    ...unknownInPatterns((auth?.issuer ?? auth?.server)?.toolScopes, ['auth', 'toolScopes'], backends),
  ]
  if (tenants === undefined) {
    const everything = { allow: undefined, deny: [] }
    const options = { naming: {}, backends, tools: everything, prompts: everything, resources: everything }
    return { names: [defaultTenant], tenants: [tenantOf(defaultTenant, options, sections)], findings: inFile }
  }
  const findings: Finding[] = [...inFile]
  const checked: TenantConfig[] = []
  for (const [name, value] of Object.entries(tenants)) {
    const path = ['tenants', name]
    if (!isName(name)) findings.push(illegalName(path, name))
    const result = z.safeParse(tenantSchema, value)
    if (result.success) {
      findings.push(...unknownBackends(result.data, path, written, backends))
      findings.push(...unknownInRates(result.data.limits, [...path, 'limits'], result.data.backends))
      checked.push(tenantOf(name, result.data, sections))
    } else {
      const source = { path, written: memberAt(written, path), notes: fieldNotes(tenantSchema) }
      findings.push(...findingsFromIssues(result.error.issues, source))
    }
  }
  return { names: Object.keys(tenants), tenants: checked, findings }
}

/** A tenant with its own options, else those of the file. */
function tenantOf(
  name: string,
  { backends, tools, prompts, resources, members, ...own }: TenantOptions,
  { profile = '', naming = {}, relayExtensions = [], limits }: Partial<Sections>,
): TenantConfig {
  return {
    name,
    profile: own.profile ?? profile,
    separator: own.naming.separator ?? naming.separator,
    maxLength: own.naming.maxLength ?? naming.maxLength ?? defaultNameLength,
    askers: own.naming.askers ?? naming.askers ?? true,
    bareNames: own.naming.bareNames ?? naming.bareNames ?? 'listed',
    relayExtensions: own.relayExtensions ?? relayExtensions,
    backends,
    tools,
    prompts,
    resources,
    members,
    rates: ratesOf(own.limits, limits?.rates),
  }
}

/**
 * Reports references to unknown backends. A pattern for a backend that the tenant does not have would allow or deny
 * nothing, unnoticed.
 */
function unknownBackends(
  options: TenantOptions,
  above: Path,
  written: JsonObject,
  known: readonly string[],
): readonly Finding[] {
  const { backends } = options
  const listed = backends.map((name, index) => ({ name, path: [...above, 'backends', index], known }))
  const patterns = (['tools', 'prompts', 'resources'] as const).flatMap((kind) =>
    (['allow', 'deny'] as const).flatMap((word) =>
      (options[kind][word] ?? []).map((pattern, index) => ({
        name: pattern.slice(0, pattern.indexOf(':')),
        path: [...above, kind, word, index],
        known: backends,
      })),
    ),
  )
  return [...listed, ...patterns.filter(({ name }) => !name.includes('*'))]
    .filter(({ name, known: among }) => !among.includes(name))
    .map((entry) => unknownReference({ ...entry, written: memberAt(written, entry.path), what: 'backend' }))
}

/** Reports patterns of rates for backends that are not there: they would limit nothing, unnoticed. */
function unknownInRates(rates: RateOptions | undefined, above: Path, known: readonly string[]): readonly Finding[] {
  return unknownInPatterns(rates?.callsPerMinuteOfTools, [...above, 'callsPerMinuteOfTools'], known)
}

function unknownInPatterns(
  values: Readonly<Record<string, unknown>> | undefined,
  above: Path,
  known: readonly string[],
): readonly Finding[] {
  return Object.keys(values ?? {})
    .map((pattern) => ({ pattern, name: pattern.slice(0, pattern.indexOf(':')) }))
    .filter(({ name }) => !name.includes('*') && !known.includes(name))
    .map(({ pattern, name }) => {
      const path = [...above, pattern]
      return { ...unknownReference({ path, written: pattern, name, what: 'backend', known }), at: 'key' as const }
    })
}
