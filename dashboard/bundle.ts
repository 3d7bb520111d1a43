import { join } from 'node:path'
import { readyBundle } from './ready-bundle.ts'

/** The dashboard's script and style as a browser loads them. */
export type Bundle = { readonly script: string; readonly style: string }

/**
 * From a source tree the pages are bundled when they are first asked for, which takes a fraction of a second; the
 * one-file executable brings the bundle that was made when it was built.
 */
export async function loadBundle(): Promise<Bundle> {
  return readyBundle ?? bundle()
}

export async function bundle(): Promise<Bundle> {
  const built = await Bun.build({
    entrypoints: [join(import.meta.dir, 'main.tsx')],
    target: 'browser',
    format: 'esm',
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const textOf = async (kind: string) => {
    const artifact = built.outputs.find((output) => output.type.startsWith(kind))
    return artifact ? artifact.text() : ''
  }
  return { script: await textOf('text/javascript'), style: await textOf('text/css') }
}
