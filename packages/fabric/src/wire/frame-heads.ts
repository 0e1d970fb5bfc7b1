import { isJsonObject, type JsonValue, type Request, type WireError } from '@junctor/jsonrpc'
import { isRevision } from '@junctor/protocol'
import { isNodeName } from '@junctor/contracts'
import type { CallFrame, Inquiry, CallOpening } from './call-frame.ts'
import type { SessionContext } from './known-contexts.ts'

// The types of the heads: payloads are line numbers.

/** A request in a frame. Here and below, a number is the line of a payload. */
export interface RequestHead extends Pick<Request, 'dialect' | 'id' | 'method'> {
  readonly params?: number
  readonly options?: number
}

/** The first frame of a call, without its payloads. */
export interface OpeningHead extends Pick<CallOpening, 'service' | 'exchange'> {
  /** Null: it has none. */
  readonly deadline: number | null
  readonly request: RequestHead
  readonly context?: SessionContext
  readonly name?: string
  readonly trace?: string
  readonly chain?: readonly string[]
  readonly attempt?: number
  readonly wantsProgress?: boolean
}

/** The request of an ask, without its payloads. */
export interface AskedHead {
  readonly method: string
  readonly params?: number
}

/** An error, without its data. */
export interface ErrorHead extends Omit<WireError, 'data'> {
  readonly data?: number
}

/** An answer, without its payloads. */
export type AnswerHead = { readonly result: number } | { readonly error: ErrorHead }

/** An outcome, without its payloads. */
export type OutcomeHead =
  | { readonly kind: 'complete'; readonly result: number }
  | { readonly kind: 'input_required'; readonly requests: readonly [string, AskedHead][]; readonly state?: string }
  | { readonly kind: 'error'; readonly error: ErrorHead; readonly loss?: string }

/** Any frame after the first, without its payloads. */
export type FrameHead =
  | ({ readonly kind: 'notification' } & AskedHead)
  | ({
      readonly kind: 'ask'
      readonly id: string
      readonly to?: 'gateway'
      readonly timeoutMs?: number
      readonly guessed?: boolean
      readonly key?: string
    } & AskedHead)
  | ({ readonly kind: 'answer'; readonly id: string } & AnswerHead)
  | { readonly kind: 'outcome'; readonly outcome: OutcomeHead }
  | Exclude<CallFrame, { kind: 'notification' | 'ask' | 'answer' | 'outcome' }>

/*
 * The checks are written by hand, because every call between nodes has several frames. Each throws a TypeError that
 * names the member, and accepts members that it does not know.
 */

/** Checks the head of an opening. @throws TypeError */
export function checkOpening(head: unknown): OpeningHead {
  const opening = membersOf(head, 'opening')
  const { context, name, trace, chain, request, deadline, attempt, wantsProgress } = opening
  expectText(opening, 'service')
  expectText(opening, 'exchange')
  expect(deadline === null || typeof deadline === 'number', 'deadline')
  expect(attempt === undefined || typeof attempt === 'number', 'attempt')
  expect(wantsProgress === undefined || typeof wantsProgress === 'boolean', 'wantsProgress')
  expect(isTextOrNone(name), 'name')
  expect(isTextOrNone(trace), 'trace')
  expect(chain === undefined || (Array.isArray(chain) && chain.every((tool) => typeof tool === 'string')), 'chain')
  const { dialect } = expectTexts(request, 'request', ['id', 'method'])
  expect(dialect === '2.0' || dialect === '3.0', 'request.dialect')
  if (context !== undefined) checkContext(context)
  return head as OpeningHead
}

function checkContext(value: unknown): void {
  const context = expectTexts(value, 'context', ['tenant'])
  const { principal, session, revision, client, job, counted, extensions, callerToken } = context
  expectTexts(principal, 'context.principal', ['issuer', 'subject', 'key'])
  expect(isTextOrNone(session), 'context.session')
  expect(isRevision(revision), 'context.revision')
  const { info, capabilities } = membersOf(client, 'context.client')
  expect(isJsonObject(info) && isJsonObject(capabilities), 'context.client')
  expect(isTextOrNone(job), 'context.job')
  expect(isTextOrNone(callerToken), 'context.callerToken')
  expect(counted === undefined || counted === true, 'context.counted')
  expect(extensions === undefined || Array.isArray(extensions), 'context.extensions')
}

/** Checks an inquiry. @throws TypeError */
export function checkInquiry(head: unknown): Inquiry {
  expectTexts(head, 'inquiry', ['service'])
  return head as Inquiry
}

/** Checks the head of any other frame. Returns undefined for an unknown kind. @throws TypeError */
export function checkFrame(head: unknown): FrameHead | undefined {
  const frame = membersOf(head, 'frame')
  const kind: unknown = frame['kind']
  switch (kind) {
    case 'notification':
      expectText(frame, 'method')
      break
    case 'ask':
      expectText(frame, 'id')
      expectText(frame, 'method')
      expect(frame['to'] === undefined || frame['to'] === 'gateway', 'to')
      if (frame['key'] !== undefined) expectText(frame, 'key')
      break
    case 'answer':
      expectText(frame, 'id')
      if (frame['result'] === undefined) checkError(frame['error'])
      break
    case 'outcome':
      checkOutcome(frame['outcome'])
      break
    case 'progress': {
      const { progress, more } = membersOf(frame['progress'], 'progress')
      expect(typeof progress === 'number', 'progress.progress')
      expect(more === undefined || isJsonObject(more), 'progress.more')
      break
    }
    case 'ack':
      membersOf(frame['ack'], 'ack')
      break
    case 'withdrawn':
      expectText(frame, 'id')
      break
    case 'task_started':
      expectText(frame, 'task')
      break
    case 'end':
      expectText(frame, 'reason')
      break
    case 'accepted':
      expectText(frame, 'token')
      expect(typeof frame['node'] === 'string' && isNodeName(frame['node']), 'node')
      break
    case 'taken':
      expect(Number.isSafeInteger(frame['bytes']) && Number(frame['bytes']) >= 0, 'bytes')
      break
    case 'chunk':
    case 'refused':
    case 'unknown_context':
      break
    default:
      return undefined
  }
  return head as FrameHead
}

function checkOutcome(value: unknown): void {
  const outcome = membersOf(value, 'outcome')
  if (outcome['kind'] === 'error') checkError(outcome['error'])
  if (outcome['kind'] === 'input_required') expect(Array.isArray(outcome['requests']), 'outcome.requests')
}

function checkError(value: unknown): void {
  const error = membersOf(value, 'error')
  expectText(error, 'message')
  expect(Number.isSafeInteger(error['code']), 'error.code')
}

type Members = Readonly<Record<string, JsonValue | undefined>>

function membersOf(value: unknown, name: string): Members {
  if (!isJsonObject(value)) throw new TypeError(`${name}: expected an object`)
  return value
}

function expectTexts(value: unknown, name: string, texts: readonly string[]): Members {
  const members = membersOf(value, name)
  for (const text of texts) expectText(members, text)
  return members
}

function expectText(members: Members, name: string): void {
  expect(typeof members[name] === 'string', name)
}

function isTextOrNone(value: unknown): boolean {
  return value === undefined || typeof value === 'string'
}

function expect(isSo: boolean, name: string): void {
  if (!isSo) throw new TypeError(`${name}: expected a value of another type`)
}
