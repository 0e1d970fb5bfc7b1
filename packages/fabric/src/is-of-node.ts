/** Whether a service belongs to its node: other nodes cannot replace it, so a call must name the node. */
export function isOfNode(service: string): boolean {
  return service.startsWith('$')
}
