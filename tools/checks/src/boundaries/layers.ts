const pureLayers = ['primitives', 'jsonrpc', 'protocol', 'exchange', 'contracts'] as const
const belowTheGateway = [...pureLayers, 'connection', 'client', 'sdk', 'fabric', 'service'] as const
const allLayers = [
  ...belowTheGateway,
  'credentials',
  'bus',
  'gateway',
  'transport',
  'plugin',
  'node',
  'app',
  'tool',
] as const

/**
 * The allowed imports of each layer, outside of tests. A listed layer may be imported completely; `transport./back`
 * allows only that entry point, so that a plugin never loads a server framework.
 */
export const layers: Readonly<Record<string, readonly string[]>> = {
  primitives: [],
  jsonrpc: [],
  protocol: ['jsonrpc'],
  exchange: ['jsonrpc', 'protocol'],
  contracts: ['primitives', 'jsonrpc', 'protocol', 'exchange'],
  connection: pureLayers,
  client: ['primitives'],
  sdk: [...pureLayers, 'client'],
  bus: pureLayers,
  transport: [...pureLayers, 'connection', 'bus'],
  fabric: [...pureLayers, 'fabric', 'bus'],
  service: [...pureLayers, 'connection', 'client'],
  gateway: belowTheGateway,
  credentials: [...pureLayers, 'client', 'sdk'],
  plugin: ['sdk', 'credentials', 'transport./back'],
  node: [...belowTheGateway, 'credentials', 'bus', 'gateway', 'transport'],
  app: allLayers,
  tool: allLayers,
}

/** Layers with pure decisions: without input and output, and so without Node. */
const withoutNode: ReadonlySet<string> = new Set([...pureLayers, 'connection'])

/** Whether a layer may import `node:` modules. A layer that is not in {@link layers} may. */
export function mayUseNode(layer: string): boolean {
  return !withoutNode.has(layer)
}

/** Whether a layer may import an entry point (`.`, `./back`) of a package in the layer `to`. */
export function mayImport(from: string, to: string, entryPoint: string): boolean {
  const allowed = layers[from] ?? []
  return allowed.includes(to) || allowed.includes(`${to}.${entryPoint.slice(1)}`)
}
