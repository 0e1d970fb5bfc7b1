/*
 * A client sees the id of an ask as a number: some clients read no other ids (LangChain4j answers `"a-1"` as 0), and the
 * official SDKs use numbers. It has 31 bits, because some clients have no room for more (early versions of rmcp): the
 * upper 12 bits say which node has asked, the others count.
 */

const countSize = 2 ** 19
const nodeBits = 12

/**
 * The id of a request that asks a client. Two open asks may have the same number, but hardly ever of one session: their
 * nodes have the same upper bits, or so many ids lie between them.
 *
 * @param askId `<node>-<base36 counter>`
 */
export function askNumber(askId: string): number {
  const at = askId.lastIndexOf('-')
  return nodePart(askId.slice(0, at)) * countSize + (Number.parseInt(askId.slice(at + 1), 36) % countSize)
}

/** Whether this node may have asked. More than one may. */
export function mayHaveAsked(node: string, number: number): boolean {
  return Math.floor(number / countSize) === nodePart(node)
}

/** Some bits of a hash of the name (FNV-1a). */
function nodePart(node: string): number {
  let hash = 0x81_1c_9d_c5
  for (let at = 0; at < node.length; at++) hash = Math.imul(hash ^ node.charCodeAt(at), 0x01_00_01_93)
  return hash >>> (32 - nodeBits)
}
