import type { ErrorReporter, Fabric, UnreadableReporter } from '@junctor/contracts'
import type { Plugin } from '@junctor/plugin-sdk'
import type { AdminBackends } from '@junctor/telemetry'
import type { NodeRedaction } from '../telemetry/node-redaction.ts'
import type { NodeTelemetry } from '../telemetry/node-telemetry.ts'
import type { Reloads } from '../reload/reload.ts'
import { type AddedBackends, createAddedBackends } from './added-backends.ts'
import { createAddedStore } from './added-store.ts'
import { createAdminBackends } from './admin-backends.ts'

/** The plugins that added backends may use, and the parts of a node that serve them. */
export interface OpenAddedParts {
  /** Absent: no backends can be added. */
  readonly plugins: readonly Plugin[] | undefined
  readonly fabric: Fabric
  /** Called when backends are managed, not before the node is open. */
  readonly reloads: () => Pick<Reloads, 'file' | 'again'>
  /** Why added backends could not be created, by name. Called like `reloads`. */
  readonly failures: () => ReadonlyMap<string, Error>
  readonly redaction: NodeRedaction
  readonly telemetry: Pick<NodeTelemetry, 'emit'>
  readonly reportError: ErrorReporter
  readonly unreadable: UnreadableReporter
}

/** The backends that are added while nodes run, and their management by the admin port, if there can be any. */
export interface OpenedAdded {
  readonly added: AddedBackends
  readonly manage: AdminBackends | undefined
}

/** Creates the store of added backends, and, when there are `plugins`, their management by the admin port. */
export function openAdded(parts: OpenAddedParts): OpenedAdded {
  const { plugins, fabric, reloads, failures, redaction, reportError, unreadable } = parts
  const { log } = redaction
  const store = createAddedStore(fabric, unreadable, log)
  const added = createAddedBackends({
    fabric,
    store,
    plugins: plugins ?? [],
    apply: () => reloads().again(),
    log,
    reportError,
  })
  if (plugins === undefined) return { added, manage: undefined }
  const { emit } = parts.telemetry
  const manage = createAdminBackends({
    added,
    store,
    plugins,
    file: () => reloads().file,
    failures,
    emit,
    redact: redaction.text,
  })
  return { added, manage }
}
