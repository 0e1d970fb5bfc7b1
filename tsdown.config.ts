import { readFileSync } from 'node:fs'
import { defineConfig, type UserConfig } from 'tsdown'
import { testPrograms } from './tools/checks/src/test-programs.ts'

interface Manifest {
  readonly exports?: Readonly<Record<string, string>>
}

// Every package builds with this one file, in its own folder. In the root folder it builds programs for a run of all tests.
const cwd = process.cwd()
const { exports } = JSON.parse(readFileSync(`${cwd}/package.json`, 'utf8')) as Manifest

/**
 * `./src/front/index.ts` becomes `dist/front/index.js`: the name that `publishConfig.exports` gives the entry point. One that
 * is no TypeScript is published as it is.
 */
function entries(exported: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.values(exported)
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

/** Everything that starts without its sources, and without the source maps, which no program loads. */
const bundled: UserConfig = { ...common, dts: false, sourcemap: false, deps: { alwaysBundle: [/.*/] } }

/** The programs of tests, in the folders of their sources. A node finds `plugin-host` beside its own code, which is above. */
const entriesOfTests = {
  ...Object.fromEntries(testPrograms.map((program) => [program, `${program}.ts`])),
  'plugin-host': 'packages/node/src/plugin-host.ts',
}

/**
 * A library has entry points, and its dependencies stay outside. An app has none: everything goes into its folder.
 */
const config: UserConfig = defineConfig(
  exports === undefined
    ? { ...bundled, entry: cwd === import.meta.dirname ? entriesOfTests : programs }
    : { ...common, entry: entries(exports), dts: { oxc: true } },
)

export default config
