import type { Failure } from '@junctor/command'
import type { Problem } from '@junctor/config'

/**
 * A problem of a configuration that a command has made for one plugin, in the words of the command line: the author gave
 * `--options`, and knows no file.
 *
 * @param backend the name of the backend in that configuration
 */
export function optionProblem({ path, got, expected, next }: Problem, backend: string): Failure {
  const option = path.replace(`backends.${backend}`, '').replace(/^\./, '')
  const place = option === '' || option === 'plugin' ? '' : `${option}: `
  const isMissing = place !== '' && got === 'nothing'
  return { message: `${place}got ${got}, expected ${expected}`, next: isMissing ? given(option) : next }
}

function given(option: string): string {
  return `Give it: --options '{"${option}":…}'`
}
