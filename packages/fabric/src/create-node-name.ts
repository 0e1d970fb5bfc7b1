import { randomInt } from 'node:crypto'

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** Creates a node name: 8 random characters, so that nodes get different names without coordination. */
export function createNodeName(): string {
  return Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('')
}
