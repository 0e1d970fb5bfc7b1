/**
 * Whether a text can be the name of a node. Names are part of ids, addresses and subjects, so nothing in one needs escapes;
 * and no name has a `-`, so an id that begins with one can be read.
 */
export function isNodeName(name: string): boolean {
  return /^[a-z0-9]{1,64}$/.test(name)
}
