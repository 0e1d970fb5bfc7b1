import type { PluginName } from './plugin-name.ts'
import { type Files, sourceFiles } from './source-files.ts'

/** The versions that a new package starts with, as npm writes ranges. A test compares them with those of Junctor. */
export const versions = { zod: '^4.6.7', typescript: '^7.0.2', '@types/node': '^24.19.2' } as const

/**
 * A package of its own: source, tests, README, a configuration to try it, and a check for GitHub.
 *
 * @param sdkVersion the version of `@junctor/plugin-sdk` that it is made for
 */
export function packageFiles(name: PluginName, sdkVersion: string): Files {
  return {
    ...sourceFiles(name, 'node'),
    'package.json': manifest(name, sdkVersion),
    'tsconfig.json': tsconfig,
    'README.md': readme(name),
    'junctor.yaml': `# To try the plugin: junctor plugin dev\nbackends:\n  ${name.backend}: { plugin: ./src/index.ts }\n`,
    '.gitignore': 'node_modules/\ndist/\n*.tgz\n',
    '.github/workflows/check.yml': workflow,
  }
}

function manifest({ full }: PluginName, sdkVersion: string): string {
  const content = {
    name: full,
    version: '0.1.0',
    description: 'A plugin for Junctor, the gateway for the Model Context Protocol',
    keywords: ['junctor-plugin', 'mcp'],
    license: 'MIT',
    type: 'module',
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    files: ['dist', '!dist/**/*.test.*'],
    scripts: {
      test: 'node --test "src/**/*.test.ts"',
      types: 'tsc --noEmit',
      build: 'tsc',
      prepack: 'npm run build',
    },
    dependencies: { '@junctor/plugin-sdk': `^${sdkVersion}`, zod: versions.zod },
    devDependencies: { '@types/node': versions['@types/node'], typescript: versions.typescript },
    engines: { node: '>=24' },
  }
  return `${JSON.stringify(content, null, 2)}\n`
}

const tsconfig = `{
  "compilerOptions": {
    "target": "es2024",
    "module": "nodenext",
    "types": ["node"],
    "rootDir": "src",
    "outDir": "dist",
    "declaration": true,
    "strict": true,
    "erasableSyntaxOnly": true,
    "verbatimModuleSyntax": true,
    "rewriteRelativeImportExtensions": true,
    "skipLibCheck": true
  },
  "include": ["src"]
}
`

function readme({ full, backend }: PluginName): string {
  return `# ${full}

A plugin for [Junctor](https://www.npmjs.com/package/@junctor/gateway-app), the gateway for the Model Context Protocol.

\`\`\`yaml
# junctor.yaml
backends:
  ${backend}: { plugin: '${full}' }
\`\`\`

| tool    | what it does           |
| ------- | ---------------------- |
| \`greet\` | greets someone by name |

| option     | default | what it is               |
| ---------- | ------- | ------------------------ |
| \`greeting\` | Hello   | the word before the name |

## Work on it

\`\`\`sh
npm install
npm test               # the tests in src
npm run types          # the compiler
junctor plugin dev     # serves it, and serves it again after each change
junctor plugin check   # all of it, and the package as it would be published
\`\`\`
`
}

const workflow = `name: check
on: [push, pull_request]
permissions: { contents: read }
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
      - uses: actions/setup-node@v5
        with: { node-version: 24 }
      - run: npm install
      - run: npm run types
      - run: npm test
      - run: npm pack --dry-run
`
