import { randomInt } from 'node:crypto'

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** A name for a node: 8 random characters, so that nodes need not know each other to be told apart. */
export function createNodeName(): string {
  return Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('')
}

/** Whether a string can be a node's name: part of ids and subjects, so nothing in it needs escapes. */
export function isNodeName(name: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,63}$/.test(name)
}
