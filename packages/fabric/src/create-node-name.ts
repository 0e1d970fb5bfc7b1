import { randomInt } from 'node:crypto'

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** A name for a node: 8 random characters, so that nodes need not know each other to be told apart. */
export function createNodeName(): string {
  return Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('')
}
