import { prettyLine } from './pretty-line.ts'
import type { LineOutput } from '@junctor/command'

/** A log output for people: each line of JSON becomes one readable line. */
export function createPrettyLines(output: LineOutput, color: boolean): LineOutput {
  return { write: (line) => output.write(prettyLine(JSON.parse(line) as Parameters<typeof prettyLine>[0], color)) }
}
