import { readFileSync } from 'node:fs'
import { defineConfig, type UserConfig } from 'tsdown'

interface Manifest {
  readonly exports?: Readonly<Record<string, string>>
}

// Every package builds with this one file, in its own folder.
const cwd = process.cwd()
const { exports } = JSON.parse(readFileSync(`${cwd}/package.json`, 'utf8')) as Manifest

/**
 * `./src/front/index.ts` becomes `dist/front/index.js`: the name that `publishConfig.exports` gives the door. A door that
 * is no TypeScript is published as it is.
 */
function entries(doors: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.values(doors)
      .filter((file) => file.endsWith('.ts'))
      .map((file) => [file.replace(/^\.\/src\//, '').replace(/\.ts$/, ''), file]),
  )
}

const common: UserConfig = {
  cwd,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  fixedExtension: false,
  sourcemap: true,
  clean: true,
}

/** A command starts plugins in processes of their own with the program beside it. */
const programs = { main: 'src/main.ts', 'plugin-host': '../../packages/node/src/plugin-host.ts' }

/**
 * A library has doors, and its dependencies stay outside. An app has none: everything goes into its folder, without the
 * source maps, which are most of its size and which no program loads.
 */
const config: UserConfig = defineConfig(
  exports === undefined
    ? { ...common, entry: programs, dts: false, sourcemap: false, deps: { alwaysBundle: [/.*/] } }
    : { ...common, entry: entries(exports), dts: { oxc: true } },
)

export default config
