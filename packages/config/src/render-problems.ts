import { styleText } from 'node:util'
import type { Problem } from './problem.ts'

export interface RenderOptions {
  /** Default false: what is rendered may go into a file. */
  readonly color?: boolean
}

/** All problems as text for a terminal, three lines each, the place in the form that editors make a link of. */
export function renderProblems(
  problems: readonly Omit<Problem, 'kind'>[],
  { color = false }: RenderOptions = {},
): string {
  const paint = (format: 'bold' | 'red' | 'cyan', text: string): string =>
    color ? styleText(format, text, { validateStream: false }) : text
  return problems
    .map(({ file, line, column, path, got, expected, next }) => {
      const place = `${paint('bold', `${file}:${line}:${column}`)}${path === '' ? '' : `  ${paint('cyan', path)}`}`
      return `${place}\n  ${paint('red', `got ${got}`)}, expected ${expected}\n  ${next}\n`
    })
    .join('\n')
}
