import type { Failure } from '@junctor/command'
import { approvedOf, readToolPins, toolPinsFileOf } from '@junctor/config'
import type { ApprovedTools } from '@junctor/protocol'
import { replaceFile } from '../add/replace-file.ts'
import { approve } from './compare-pins.ts'
import type { OfferedTools } from './offered-tools.ts'

/** What is approved. */
export interface Approval {
  readonly offered: OfferedTools['tools']
  /** Every backend of the configuration: what was approved for others is forgotten. */
  readonly backends: readonly string[]
  /** The tools that are approved; empty: all. */
  readonly tools: readonly string[]
}

/** The definitions that were approved, by backend. */
export type ReadApproved =
  | {
      readonly kind: 'approved'
      readonly approved: Readonly<Record<string, ApprovedTools>>
      readonly file: string
      /** The content of the file. `undefined`: there is no file. */
      readonly text: string | undefined
    }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** Reads what was approved for the backends of a configuration. */
export function readApproved(config: string): ReadApproved {
  const file = toolPinsFileOf(config)
  const read = readToolPins(file)
  if (read.kind === 'pins') return { kind: 'approved', approved: read.approved, file, text: read.text }
  const next = 'Restore the file, or remove it and approve all tools again.'
  return { kind: 'failed', failure: { message: `expected a file of approved tools, got ${read.why}`, next } }
}

/** Writes the approved definitions: sorted by backend, so that a review shows what has changed. */
export function writeApproved(
  { approved, file, text }: Extract<ReadApproved, { kind: 'approved' }>,
  { offered, backends, tools }: Approval,
): Failure | undefined {
  const after = backends.toSorted().flatMap((name): readonly (readonly [string, ApprovedTools])[] => {
    const before = approvedOf(approved, name)
    const now = offered.get(name)
    if (now !== undefined) return [[name, approve(now, before, tools)]]
    return Object.hasOwn(approved, name) ? [[name, before]] : []
  })
  const written = `${JSON.stringify(Object.fromEntries(after), null, 2)}\n`
  return written === text ? undefined : replaceFile(file, text, written)
}
