/** Whether a service belongs to its node: nobody else's will do, so only a call that names the node finds it. */
export function isOfNode(service: string): boolean {
  return service.startsWith('$')
}
