import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import type { Violation } from '../violation.ts'
import { isTestFile, type WorkspacePackage } from '../workspace.ts'
import { layers, mayImport, mayUseNode } from './layers.ts'

/** What is known when an import is checked. */
export interface ImportContext {
  readonly packages: ReadonlyMap<string, WorkspacePackage>
  /** The dev dependencies of the root package.json, which every test may use: the test runner. */
  readonly rootDevDependencies: ReadonlySet<string>
}

/** Why `file` of `from` may not import `specifier`; undefined when it may. */
export function judgeImport(
  from: WorkspacePackage,
  file: string,
  specifier: string,
  context: ImportContext,
): string | undefined {
  if (specifier.startsWith('.')) return judgeRelative(from, file, specifier)
  if (isBuiltin(specifier)) return judgeBuiltin(from, file, specifier)

  const { name, entryPoint } = splitSpecifier(specifier)
  const target = context.packages.get(name)
  if (target !== undefined && !Object.hasOwn(target.manifest.exports ?? {}, entryPoint))
    return `imports ${specifier}, but ${name} has no entry point "${entryPoint}"; it has ${entryPointsOf(target)}`
  if (target === from) return undefined
  if (!isDeclared(from, file, name, context))
    return `imports ${name}, which its package.json does not declare${isTestFile(file) ? '' : ' under dependencies'}`
  if (target === undefined || isTestFile(file)) return undefined
  return judgeLayers(from, target, specifier, entryPoint)
}

function judgeRelative(from: WorkspacePackage, file: string, specifier: string): string | undefined {
  const reached = posix.join(from.folder, posix.dirname(file), specifier)
  if (reached.startsWith(`${from.folder}/`)) return undefined
  return `imports ${specifier}, which leaves ${from.folder}; import the other package by its name`
}

function judgeBuiltin(from: WorkspacePackage, file: string, specifier: string): string | undefined {
  if (isTestFile(file) || mayUseNode(from.layer ?? '')) return undefined
  return `imports ${specifier}, but the layer ${from.layer} is pure: it must run anywhere`
}

function judgeLayers(
  from: WorkspacePackage,
  target: WorkspacePackage,
  specifier: string,
  entryPoint: string,
): string | undefined {
  if (mayImport(from.layer ?? '', target.layer ?? '', entryPoint)) return undefined
  const allowed = layers[from.layer ?? ''] ?? []
  return `imports ${specifier} of the layer ${target.layer}, but ${from.layer} may import ${allowed.join(', ') || 'nothing'}`
}

function isDeclared(from: WorkspacePackage, file: string, name: string, context: ImportContext): boolean {
  const { dependencies = {}, devDependencies = {} } = from.manifest
  if (Object.hasOwn(dependencies, name)) return true
  return isTestFile(file) && (Object.hasOwn(devDependencies, name) || context.rootDevDependencies.has(name))
}

function entryPointsOf({ manifest }: WorkspacePackage): string {
  return Object.keys(manifest.exports ?? {}).join(', ') || 'none'
}

/** `@junctor/transport-http/back` is the entry point `./back` of `@junctor/transport-http`. */
export function splitSpecifier(specifier: string): { name: string; entryPoint: string } {
  const parts = specifier.split('/')
  const length = specifier.startsWith('@') ? 2 : 1
  const rest = parts.slice(length)
  return { name: parts.slice(0, length).join('/'), entryPoint: rest.length === 0 ? '.' : `./${rest.join('/')}` }
}

/** Checks that a package has a known layer; without one its imports cannot be checked. */
export function judgeLayerTag({ folder, layer }: WorkspacePackage): Violation[] {
  if (layer !== undefined && Object.hasOwn(layers, layer)) return []
  return [
    {
      where: `${folder}/package.json`,
      what:
        layer === undefined
          ? 'has no "layer:x" among its nx.tags'
          : `has the unknown layer ${layer}; layers are ${Object.keys(layers).join(', ')}`,
    },
  ]
}
