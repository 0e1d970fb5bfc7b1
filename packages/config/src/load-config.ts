import { readFileSync } from 'node:fs'
import { parseConfig, type ParsedConfig, type ParseOptions } from './parse-config.ts'

/** Reads a configuration file. A file that cannot be read is a problem like any other. */
export function loadConfig(file: string, options: Omit<ParseOptions, 'file'>): ParsedConfig {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown'
    const problem = {
      kind: 'unreadable_file',
      file,
      line: 1,
      column: 1,
      path: '',
      got: reasons[reason] ?? reason,
      expected: 'a file that can be read',
      next: 'Check the name, and from which folder the command runs.',
    } as const
    return { kind: 'invalid', problems: [problem], files: [] }
  }
  return parseConfig(text, { ...options, file })
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EACCES: 'a file that this user may not read',
  EISDIR: 'a folder',
}
