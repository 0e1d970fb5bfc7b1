import type { LineOutput } from '@junctor/command'
import { createPaint } from '../report/paint.ts'
import { prettyLine } from './pretty-line.ts'

/** A log output for people: each line of JSON becomes one readable line. */
export function createPrettyLines(output: LineOutput, color: boolean): LineOutput {
  const paint = createPaint(color)
  return { write: (line) => output.write(prettyLine(JSON.parse(line) as Parameters<typeof prettyLine>[0], paint)) }
}
