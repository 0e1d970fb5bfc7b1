import type { PluginName } from './plugin-name.ts'
import { type Files, sourceFiles } from './source-files.ts'

/** A folder under `plugins` of Junctor's own repository. The package has the scope `@junctor` and the prefix `plugin-`. */
export function workspaceFiles(name: PluginName): Files {
  const own = { ...name, full: `@junctor/plugin-${name.short}` }
  return { ...sourceFiles(own, 'vitest'), 'package.json': manifest(own), 'README.md': readme(own) }
}

function manifest({ full, short }: PluginName): string {
  const content = {
    name: full,
    version: '0.0.0',
    description: 'Greets someone by name',
    license: 'Apache-2.0',
    files: ['dist'],
    type: 'module',
    sideEffects: false,
    exports: { '.': './src/index.ts' },
    publishConfig: {
      exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
      access: 'public',
    },
    scripts: {
      build: 'tsdown --config ../../tsdown.config.ts',
      test: `vitest run --root ../.. --project plugins/${short}`,
    },
    dependencies: { '@junctor/plugin-sdk': 'workspace:*', zod: 'catalog:' },
    engines: { node: '>=24' },
    nx: { tags: ['layer:plugin'] },
  }
  return `${JSON.stringify(content, null, 2)}\n`
}

function readme({ full, backend, identifier }: PluginName): string {
  return `# ${full}

Greets someone by name.

\`\`\`yaml
# junctor.yaml
backends:
  ${backend}: { plugin: '${full}' }
\`\`\`

\`\`\`ts
import { openBackend } from '@junctor/plugin-sdk/testing'
import { ${identifier} } from '${full}'

const client = await openBackend(${identifier})
await client.callTool('greet', { name: 'Ada' }) // Hello, Ada!
\`\`\`

It does nothing else. The place of a plugin among the other parts: [ARCHITECTURE](../../docs/ARCHITECTURE.md).
`
}
