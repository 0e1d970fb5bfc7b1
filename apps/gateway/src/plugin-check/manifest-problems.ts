import { isJsonObject, type JsonObject } from '@junctor/jsonrpc'
import type { CheckProblem } from './check-line.ts'

/** What npm needs to publish a package, and a gateway to find its plugin. */
export interface ManifestFindings {
  readonly problems: readonly CheckProblem[]
  /** It can be loaded, but not published as it is. */
  readonly warnings: readonly CheckProblem[]
}

const sdk = '@junctor/plugin-sdk'

/** Ranges that name something on the machine of the author. */
const localRange = /^(?:file|link|workspace|portal|catalog):/

/** Looks at the package.json of a plugin, in its packed form. */
export function manifestFindings(manifest: JsonObject): ManifestFindings {
  const { name, version, exports, main } = manifest
  const ranges = { ...dependenciesOf(manifest, 'dependencies'), ...dependenciesOf(manifest, 'peerDependencies') }
  const local = Object.entries(ranges).filter(([, range]) => typeof range === 'string' && localRange.test(range))
  return {
    problems: [
      ...(typeof name === 'string' && name !== ''
        ? []
        : [wanted('a name', 'Name the package as its plugin is named.')]),
      ...(typeof version === 'string' ? [] : [wanted('a version', 'Begin with "version": "0.1.0".')]),
      ...(exports === undefined && main === undefined
        ? [wanted('exports', 'Name the module of the plugin: "exports": "./dist/index.js".')]
        : []),
      ...(Object.hasOwn(ranges, sdk) ? [] : [sdkProblem(manifest)]),
    ],
    warnings: [
      ...(manifest['private'] === true
        ? [{ problem: '"private": true, so npm does not publish it', next: 'Remove "private" to publish it.' }]
        : []),
      ...local.map(([dependency, range]) => ({
        problem: `${dependency} is ${JSON.stringify(range)}, which only this machine has`,
        next: `Give a range of versions before it is published: "${dependency}": "^1.0.0".`,
      })),
    ],
  }
}

function sdkProblem(manifest: JsonObject): CheckProblem {
  const isDev = Object.hasOwn(dependenciesOf(manifest, 'devDependencies'), sdk)
  return {
    problem: `expected ${sdk} in dependencies or peerDependencies, got it ${isDev ? 'in devDependencies only' : 'nowhere'}`,
    next: `Run: npm install ${sdk}`,
  }
}

function dependenciesOf(manifest: JsonObject, member: string): JsonObject {
  const ranges = manifest[member]
  return isJsonObject(ranges) ? ranges : {}
}

function wanted(what: string, next: string): CheckProblem {
  return { problem: `expected ${what} in package.json, got nothing`, next }
}
