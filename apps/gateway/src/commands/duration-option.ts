import { isTooLong, parseDuration } from '@junctor/config/duration'
import { InvalidArgumentError } from 'commander'

/** Reads a duration from an option, in the syntax of the configuration. Returns milliseconds. */
export function durationOption(text: string): number {
  if (isTooLong(text)) throw new InvalidArgumentError('Expected a duration of at most 24d.')
  const value = parseDuration(text)
  if (value === undefined || value === 0) {
    throw new InvalidArgumentError('Expected a duration above zero, such as 500ms, 30s or 2m.')
  }
  return value
}
