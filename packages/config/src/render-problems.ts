import { styleText } from 'node:util'
import type { Problem } from './problem.ts'

/** How problems are printed. */
export interface RenderOptions {
  /** Default false, because the output may be written to a file. */
  readonly color?: boolean
}

/**
 * Formats all problems as text for a terminal, three lines each. Positions have the form that editors turn into links.
 */
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
