import { join } from 'node:path'
import { buildBundle } from '../dashboard/bundle.ts'
import { bundledFamilyTables } from '../src/catalog/bundled-tables-service.ts'
import { documentTemplates } from '../src/http/reference/document-templates.ts'

export const TARGETS = ['linux-x64', 'linux-arm64'] as const

/**
 * The executable has no folder to bundle the pages or read the tables from, so it contains them. It also contains the
 * documents, which take long to render.
 */
const carriedParts = async (): Promise<readonly (readonly [RegExp, string])[]> => [
  [/dashboard\/prebuilt-bundle\.ts$/, `export const prebuiltBundle = ${JSON.stringify(await buildBundle())}`],
  [
    /catalog\/bundled-tables-service\.ts$/,
    `export const bundledFamilyTables = () => ${JSON.stringify(bundledFamilyTables())}`,
  ],
  [
    /reference\/document-renderer\.ts$/,
    `export const renderDocuments = async () => (${JSON.stringify(documentTemplates())})`,
  ],
]

/** They are the same for every platform. */
let carried: ReturnType<typeof carriedParts> | undefined

/** Builds the one-file executable: the program, its pages and the bundled data. Without a target it is for this machine. */
export async function buildExecutable(outfile: string, target?: (typeof TARGETS)[number]): Promise<void> {
  carried ??= carriedParts()
  const parts = await carried
  await Bun.build({
    plugins: [
      {
        name: 'carried',
        setup(build) {
          for (const [filter, contents] of parts) build.onLoad({ filter }, () => ({ contents, loader: 'js' }))
        },
      },
    ],
    // The second is started as a thread, under the path it has below the folder of the first.
    entrypoints: ['main.ts', 'import/prices/title-worker.ts'].map((file) => join(import.meta.dir, '../src', file)),
    compile: { outfile, ...(target ? { target: `bun-${target}` as const } : {}) },
    // Parsing and compiling the source is 40 % of the processor time of a start and 70 % of that of a short command.
    bytecode: true,
    format: 'esm',
    minify: { syntax: true, whitespace: true },
    sourcemap: 'none',
  })
}
