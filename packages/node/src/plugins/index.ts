// Apart from the node, because most starts load no plugin.
export { loadPlugin } from './load-plugin.ts'
