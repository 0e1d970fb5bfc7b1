import { type AddedProblem, checkAddedBackend } from '@junctor/config'
import type { Plugin } from '@junctor/plugin-sdk'
import type { NodeConfig } from '../node-config.ts'
import type { AddedRecord } from './added-record.ts'

/** A configuration with the backends that were added while the nodes run. */
export interface WithAdded {
  /** The backends of the file come first. */
  readonly config: NodeConfig
  /** Added backends that this node cannot serve, by name, and why: the file has the name, or lacks their tenant. */
  readonly unserved: ReadonlyMap<string, readonly AddedProblem[]>
}

/** Adds the backends of the record to the configuration of the file. */
export function withAdded(file: NodeConfig, { backends }: AddedRecord, plugins: readonly Plugin[]): WithAdded {
  const unserved = new Map<string, readonly AddedProblem[]>()
  const entries = Object.entries(backends)
  if (entries.length === 0) return { config: file, unserved }
  const valid = entries.flatMap(([name, { entry }]) => {
    const checked = checkAddedBackend(name, entry, file, plugins)
    if (checked.kind === 'valid') return [checked]
    unserved.set(name, checked.problems)
    return []
  })
  const tenants = file.tenants.map((tenant) => {
    const more = valid.filter((one) => one.tenants.includes(tenant.name)).map(({ backend }) => backend.name)
    return more.length === 0 ? tenant : { ...tenant, backends: [...tenant.backends, ...more] }
  })
  return {
    config: { ...file, backends: [...file.backends, ...valid.map(({ backend }) => backend)], tenants },
    unserved,
  }
}
