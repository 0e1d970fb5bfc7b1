import type { AddedProblem } from '@junctor/config'
import type { JsonObject } from '@junctor/jsonrpc'
import type { AdminReply } from '@junctor/telemetry'
import type { AddedChange } from './added-record.ts'

/** The answer to a change of a backend, which is shown as it is now. */
export function changeReply(name: string, change: AddedChange, shown: JsonObject | undefined): AdminReply {
  if (change.kind === 'absent') return unknownReply(name)
  if ('message' in change) return refusalReply(change.kind === 'too_many' ? 409 : 412, change.kind, change.message)
  const status = change.kind === 'added' ? 201 : 200
  return { ...revisionOf(shown), status, body: { ...(shown ?? { name }), change: change.kind } }
}

/** The answer with one backend. `undefined`: there is none of this name. */
export function backendReply(name: string, shown: JsonObject | undefined): AdminReply {
  return shown === undefined ? unknownReply(name) : { ...revisionOf(shown), status: 200, body: shown }
}

/** The answer to a description with problems: 409 if only the name is taken. */
export function problemsReply(problems: readonly AddedProblem[]): AdminReply {
  const [first] = problems
  const place = first === undefined || first.path === '' ? '' : `${first.path}: `
  const message =
    first === undefined ? 'the backend cannot be used' : `${place}expected ${first.expected}, got ${first.got}`
  const body = { error: 'invalid_backend', message, problems: problemsBody(problems) }
  return { status: first?.kind === 'name_taken' ? 409 : 400, body }
}

/** Problems as members of a body. */
export function problemsBody(problems: readonly AddedProblem[]): readonly JsonObject[] {
  return problems.map(({ kind, path, got, expected, next }) => ({ kind, path, got, expected, next }))
}

/** A refusal: `error` for programs, `message` for people. */
export function refusalReply(status: number, error: string, message: string): AdminReply {
  return { status, body: { error, message } }
}

function unknownReply(name: string): AdminReply {
  return refusalReply(404, 'unknown_backend', `there is no backend "${name}"`)
}

function revisionOf(shown: JsonObject | undefined): Pick<AdminReply, 'revision'> {
  const revision = shown?.['revision']
  return typeof revision === 'number' ? { revision } : {}
}
