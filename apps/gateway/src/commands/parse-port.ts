import { InvalidArgumentError } from 'commander'

/** Reads a port from an option; 0 means a free port. */
export function parsePort(text: string): number {
  const value = Number(text)
  if (/^\d{1,5}$/.test(text) && value <= 65_535) return value
  throw new InvalidArgumentError('Expected a number from 0 to 65535.')
}
