import { basename, join } from 'node:path'
import { prebuiltBundle } from './prebuilt-bundle.ts'

/** The built dashboard: entry script, style sheet and all files by name. */
export type Bundle = {
  readonly script: string
  readonly style: string
  readonly files: Readonly<Record<string, string>>
}

/**
 * A source tree builds the bundle on first use, in a fraction of a second; the executable contains one that was built
 * with it.
 */
export async function loadBundle(): Promise<Bundle> {
  return prebuiltBundle ?? buildBundle()
}

export async function buildBundle(): Promise<Bundle> {
  const built = await Bun.build({
    entrypoints: [join(import.meta.dir, 'main.tsx')],
    target: 'browser',
    format: 'esm',
    minify: true,
    // One file per page, named by content hash, so that browsers can cache it forever.
    splitting: true,
    naming: { entry: 'app-[hash].[ext]', chunk: 'part-[hash].[ext]', asset: 'app-[hash].[ext]' },
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const files: Record<string, string> = {}
  let script = ''
  let style = ''
  for (const output of built.outputs) {
    const name = basename(output.path)
    files[name] = await output.text()
    if (output.kind === 'entry-point') script = name
    else if (output.type.startsWith('text/css')) style = name
  }
  return { script, style, files }
}
