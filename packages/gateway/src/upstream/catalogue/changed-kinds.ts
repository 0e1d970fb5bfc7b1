import { isDeepStrictEqual } from 'node:util'
import type { ListKind } from '@junctor/contracts'
import { printPayload } from '@junctor/jsonrpc'
import { listKinds, type Snapshot } from './snapshot.ts'

/** The lists that differ between two snapshots of a backend. One that the other snapshot lacks is not known to differ. */
export function changedKinds(one: Snapshot, other: Snapshot): readonly ListKind[] {
  return listKinds.filter(
    (kind) =>
      other.failures[kind] === undefined &&
      !isDeepStrictEqual(one.lists[kind].map(printPayload), other.lists[kind].map(printPayload)),
  )
}
