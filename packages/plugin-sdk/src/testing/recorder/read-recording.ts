import { readFileSync } from 'node:fs'
import { parseJson } from '@junctor/jsonrpc'
import * as z from 'zod'
import {
  type CallEvent,
  type LinkEvent,
  recordedLine,
  type RecordedLine,
  type RecordedRequest,
} from './recorded-line.ts'

type Line<Kind extends RecordedLine['kind']> = Extract<RecordedLine, { kind: Kind }>

/** One recorded request, and everything that happened until the next one on any link. */
export interface RecordedExchange {
  readonly request: RecordedRequest
  /** Its line in the file, counted from 1. */
  readonly line: number
  /** In the order of the file. Those of a link are played with the request before them. */
  readonly events: readonly (CallEvent | LinkEvent)[]
}

/** A recording, as it is played back. */
export interface Recording {
  readonly head: Line<'recording'>
  /** In the order in which links were opened. */
  readonly opens: readonly (Line<'open'> | Line<'refused'>)[]
  readonly lists: readonly (Line<'list'> | Line<'unlisted'>)[]
  readonly calls: readonly RecordedExchange[]
  /** What was received before the first request. */
  readonly early: readonly LinkEvent[]
}

/**
 * Reads a recording.
 *
 * @throws Error that names the file and the line when it cannot be read, or is no recording
 */
export function readRecording(file: string): Recording {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text, index) =>
      text.trim() === '' ? [] : [{ number: index + 1, line: readLine(file, text, index + 1) }],
    )
  const [first] = lines
  if (first?.line.kind !== 'recording') throw new Error(`${file}:1: expected a recording, got another file`)
  const calls: { request: RecordedRequest; line: number; events: (CallEvent | LinkEvent)[] }[] = []
  const early: LinkEvent[] = []
  const opens: Recording['opens'][number][] = []
  const lists: Recording['lists'][number][] = []
  for (const { line, number } of lines.slice(1)) {
    if (line.kind === 'recording') throw new Error(`${file}:${number}: expected one recording, got another one`)
    if (line.kind === 'open' || line.kind === 'refused') opens.push(line)
    else if (line.kind === 'list' || line.kind === 'unlisted') lists.push(line)
    else if (line.kind === 'call') calls.push({ request: line, line: number, events: [] })
    else if ('call' in line) callOf(calls, line.call, `${file}:${number}`).push(line)
    else (calls.at(-1)?.events ?? early).push(line)
  }
  return { head: first.line, opens, lists, calls, early }
}

function callOf(
  calls: readonly { request: RecordedRequest; events: (CallEvent | LinkEvent)[] }[],
  number: number,
  place: string,
): (CallEvent | LinkEvent)[] {
  const found = calls.find(({ request }) => request.call === number)
  if (found === undefined) throw new Error(`${place}: expected the request of call ${number} before this line`)
  return found.events
}

function readLine(file: string, text: string, number: number): RecordedLine {
  const parsed = recordedLine.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  throw new Error(`${file}:${number}: expected a line of a recording: ${z.prettifyError(parsed.error)}`)
}
