import { prettyLine } from './pretty-line.ts'
import type { LineOutput } from '@junctor/command'

/** An output for a log that is to be read by people: each line of JSON becomes one readable line. */
export function createPrettyLines(output: LineOutput, color: boolean): LineOutput {
  return { write: (line) => output.write(prettyLine(JSON.parse(line) as Parameters<typeof prettyLine>[0], color)) }
}
