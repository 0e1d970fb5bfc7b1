const PURE = ['primitives', 'jsonrpc', 'protocol', 'exchange', 'contracts'] as const
const BELOW_THE_GATEWAY = [...PURE, 'connection', 'client', 'sdk', 'fabric', 'service'] as const
const ALL = [
  ...BELOW_THE_GATEWAY,
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
 * allows only that door, so that a plugin never loads a server framework.
 */
export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  primitives: [],
  jsonrpc: [],
  protocol: ['jsonrpc'],
  exchange: ['jsonrpc', 'protocol'],
  contracts: ['primitives', 'jsonrpc', 'protocol', 'exchange'],
  connection: PURE,
  client: ['primitives'],
  sdk: [...PURE, 'client'],
  bus: PURE,
  transport: [...PURE, 'connection', 'bus'],
  fabric: [...PURE, 'fabric', 'bus'],
  service: [...PURE, 'connection', 'client'],
  gateway: BELOW_THE_GATEWAY,
  credentials: [...PURE, 'client', 'sdk'],
  plugin: ['sdk', 'credentials', 'transport./back'],
  node: [...BELOW_THE_GATEWAY, 'credentials', 'bus', 'gateway', 'transport'],
  app: ALL,
  tool: ALL,
}

/** Layers with pure decisions: without input and output, and so without Node. */
const WITHOUT_NODE: ReadonlySet<string> = new Set([...PURE, 'connection'])

/** Whether a layer may import `node:` modules. A layer that is not in {@link LAYERS} may. */
export function mayUseNode(layer: string): boolean {
  return !WITHOUT_NODE.has(layer)
}

/** May `from` import the door (`.`, `./back`) of a package in the layer `to`? */
export function mayImport(from: string, to: string, door: string): boolean {
  const allowed = LAYERS[from] ?? []
  return allowed.includes(to) || allowed.includes(`${to}.${door.slice(1)}`)
}
