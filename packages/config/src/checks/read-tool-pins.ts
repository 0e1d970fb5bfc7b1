import { basename } from 'node:path'
import { isJsonObject, type JsonObject, type JsonValue } from '@junctor/jsonrpc'
import { type ApprovedTools, isName } from '@junctor/protocol'
import { keptFileOf, readKeptFile } from './read-kept-file.ts'

/** The approved definitions of a configuration, by backend, or why its file cannot be used. */
export type ReadToolPins =
  | {
      readonly kind: 'pins'
      readonly approved: Readonly<Record<string, ApprovedTools>>
      /** The content of the file. `undefined`: there is no file. */
      readonly text: string | undefined
    }
  | { readonly kind: 'unusable'; readonly why: string }

/** The file with the approved tools of a configuration: `junctor.pins.json` beside `junctor.yaml`. */
export function toolPinsFileOf(config: string): string {
  return keptFileOf(config, 'pins.json')
}

/** What was approved of one backend. Its name may be that of a member of every object. */
export function approvedOf(approved: Readonly<Record<string, ApprovedTools>>, backend: string): ApprovedTools {
  return Object.hasOwn(approved, backend) ? (approved[backend] ?? {}) : {}
}

/**
 * Reads the file with the approved tools. Without a file, nothing is approved. A damaged file is unusable as a whole: an
 * attacker could have chosen the part that is left.
 */
export function readToolPins(file: string): ReadToolPins {
  const read = readKeptFile(file)
  if (read.kind === 'unusable') return { kind: 'unusable', why: `${basename(file)}, which ${read.why}` }
  const approved: [string, ApprovedTools][] = []
  for (const [backend, tools] of Object.entries(read.value)) {
    const place = `${basename(file)}, in which ${JSON.stringify(backend)}`
    if (!isName(backend)) return { kind: 'unusable', why: `${place} is not the name of a backend` }
    if (!isDefinitions(tools)) return { kind: 'unusable', why: `${place} is not an object of tools` }
    approved.push([backend, tools])
  }
  return { kind: 'pins', approved: Object.fromEntries(approved), text: read.text }
}

function isDefinitions(value: JsonValue | undefined): value is Readonly<Record<string, JsonObject>> {
  return isJsonObject(value) && Object.values(value).every((tool) => isJsonObject(tool))
}
