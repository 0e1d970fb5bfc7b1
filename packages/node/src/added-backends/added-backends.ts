import { type ErrorReporter, type Fabric, type Log, pacedOutages } from '@junctor/contracts'
import type { Plugin } from '@junctor/plugin-sdk'
import type { NodeConfig } from '../node-config.ts'
import { type AddedRecord, noneAdded } from './added-record.ts'
import type { AddedStore } from './added-store.ts'
import { type WithAdded, withAdded } from './with-added.ts'

/** The backends that were added while the nodes run, as this node serves them. */
export interface AddedBackends {
  /** The record that this node serves, or is about to serve. */
  readonly record: AddedRecord
  /** Adds them to the configuration of the file. */
  addTo(file: NodeConfig): WithAdded
  /**
   * Reads the record for the first time. One that cannot be read counts as empty. Rejects like `AddedStore.read`.
   */
  open(): Promise<void>
  /**
   * Reads the record now, and resolves when this node serves it. Rejects like `AddedStore.read`, or with the reason why
   * this node cannot serve it; then it serves the previous one.
   */
  refresh(): Promise<void>
  /** Notifies the other nodes of a change. They notice it by themselves within {@link lookMs}, too. */
  announce(): void
  /** Follows the changes of other nodes, until it is closed. */
  follow(): void
  close(): Promise<void>
}

/** Where added backends are stored for all nodes, and how a change of them is applied at this one. */
export interface AddedBackendsParts {
  readonly fabric: Pick<Fabric, 'send' | 'onControl' | 'onReconnect'>
  readonly store: AddedStore
  /** The plugins of which backends can be added. */
  readonly plugins: readonly Plugin[]
  /** Serves the file and the record again. Rejects when that is not possible; then nothing has changed. */
  readonly apply: () => Promise<void>
  readonly log: Log
  readonly reportError: ErrorReporter
}

/** How often a node checks whether it has missed a change, in milliseconds. */
const lookMs = 10_000

/** The control message that says: the record has changed. */
const changed = 'added-backends'

/** Creates the added backends of a node. There are none until they were read from the store. */
export function createAddedBackends(parts: AddedBackendsParts): AddedBackends {
  const { fabric, store, plugins, apply, log, reportError } = { ...parts, log: pacedOutages(parts.log) }
  const closers: (() => void | Promise<void>)[] = []
  let record = noneAdded
  let last: Promise<void> = Promise.resolve()
  let isClosed = false

  const refreshNow = async (): Promise<void> => {
    const next = await store.read()
    if (next === undefined || next.last === record.last || isClosed) return
    const before = record
    record = next
    try {
      await apply()
    } catch (error) {
      record = before
      throw error
    }
  }
  const refresh = (): Promise<void> => {
    const done = last.then(refreshNow)
    last = done.catch(() => {})
    return done
  }
  const look = (): void => {
    refresh().catch((error: unknown) => {
      if (!isClosed) log.warn('changes of added backends cannot be served now, those before are', { error })
    })
  }

  return {
    get record() {
      return record
    },
    addTo: (file) => withAdded(file, record, plugins),
    async open() {
      record = (await store.read()) ?? noneAdded
    },
    refresh,
    announce() {
      fabric.send('all', { kind: changed, body: {} }).catch((error: unknown) => reportError('control', error))
    },
    follow() {
      const control = fabric.onControl(({ kind }) => {
        if (kind === changed) look()
      })
      const timer = setInterval(look, lookMs).unref()
      closers.push(
        () => control.close(),
        () => clearInterval(timer),
        fabric.onReconnect(look),
      )
    },
    async close() {
      isClosed = true
      for (const close of closers) await close()
      await last
    },
  }
}
