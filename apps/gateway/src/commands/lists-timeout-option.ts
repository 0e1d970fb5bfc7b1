import { Option } from 'commander'
import { durationOption } from './duration-option.ts'

/** `--timeout` of commands that ask backends for their lists; the value is in milliseconds. Default: half a minute. */
export function listsTimeoutOption(description: string): Option {
  return new Option('--timeout <duration>', description).argParser(durationOption).default(30_000, '30s')
}
