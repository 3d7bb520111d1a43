import { basename, join } from 'node:path'
import { prebuiltBundle } from './prebuilt-bundle.ts'

/** The dashboard as a browser loads it: the first script, the style, and every file by its name. */
export type Bundle = {
  readonly script: string
  readonly style: string
  readonly files: Readonly<Record<string, string>>
}

/**
 * From a source tree the pages are bundled when they are first asked for, which takes a fraction of a second; the
 * one-file executable brings the bundle that was made when it was built.
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
    // Each page is a file of its own, named by what is in it, so that a browser may keep it for ever.
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
