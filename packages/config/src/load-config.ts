import type { ConfigurablePlugin } from './backends/configurable-plugin.ts'
import { readFailure } from './document/read-failure.ts'
import { readTextFile } from './document/read-text-file.ts'
import { parseConfig, type ParsedConfig, type ParseOptions } from './parse-config.ts'

/**
 * Reads a configuration file. A file that cannot be read is reported as a problem. An empty file is a problem too, and
 * so is one with comments alone: it is probably being written or was truncated, and is not intended as a gateway without
 * backends.
 */
export function loadConfig<Plugin extends ConfigurablePlugin>(
  file: string,
  options: Omit<ParseOptions<Plugin>, 'file'>,
): ParsedConfig<Plugin> {
  const read = readConfigText(file)
  return read.kind === 'text' ? parseConfig(read.text, { ...options, file }) : read
}

/** The text of a configuration, or the problem of its file. */
export type ConfigText =
  | { readonly kind: 'text'; readonly text: string }
  | Extract<ParsedConfig<never>, { readonly kind: 'invalid' }>

/** Reads the text of a configuration file: see {@link loadConfig}. */
export function readConfigText(file: string): ConfigText {
  let text: string
  try {
    text = readTextFile(file)
  } catch (error) {
    const { reason, next } = readFailure(error, 'Check the name, and from which folder the command runs.')
    return unreadable(file, reasons[reason] ?? reason, next)
  }
  if (saysNothing(text))
    return unreadable(file, 'a file with nothing in it', 'Write what it is to serve: backends: {}', 'a configuration')
  return { kind: 'text', text }
}

/** Whether a text has only blank lines and comments, as the beginning of a file may have that is still being written. */
function saysNothing(text: string): boolean {
  return text.split('\n').every((line) => /^\s*(?:#|---\s*$|$)/.test(line))
}

function unreadable(file: string, got: string, next: string, expected = 'a file that can be read'): ConfigText {
  const place = { file, line: 1, column: 1, path: '' }
  const problem = { kind: 'unreadable_file', ...place, got, expected, next } as const
  return { kind: 'invalid', problems: [problem], files: [] }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EACCES: 'a file that this user may not read',
  EISDIR: 'a folder',
  EMFILE: 'no free file descriptor in this process',
  ENFILE: 'no free file descriptor in this system',
  EFBIG: 'a file of more than 4 MiB',
  EILSEQ: 'a file that is not UTF-8',
  ETIMEDOUT: 'a pipe that nobody writes to',
}
