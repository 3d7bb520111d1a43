import { basename, join } from 'node:path'
import { Glob } from 'bun'
import { prebuiltBundle } from './prebuilt-bundle.ts'

/** The built dashboard: entry script, style sheet and all files by name. */
export type Bundle = {
  readonly script: string
  readonly style: string
  readonly files: Readonly<Record<string, string>>
  /** Images and WebAssembly, in base64. */
  readonly binaryFiles: Readonly<Record<string, string>>
  readonly serviceWorker: string
}

/**
 * A source tree builds the bundle on first use, in a fraction of a second; the executable contains one that was built
 * with it.
 */
export async function loadBundle(): Promise<Bundle> {
  return prebuiltBundle ?? buildBundle()
}

const IS_TEXT = /\.(?:js|css)$/

export async function buildBundle(): Promise<Bundle> {
  const built = await Bun.build({
    entrypoints: [join(import.meta.dir, 'main.tsx')],
    target: 'browser',
    format: 'esm',
    minify: true,
    // One file per page, named by content hash, so that browsers can cache it forever.
    splitting: true,
    naming: { entry: 'app-[hash].[ext]', chunk: 'part-[hash].[ext]', asset: 'app-[hash].[ext]' },
    loader: { '.wasm': 'file' },
    // Fonts stay files of their own: inlined they would make the style sheet three times as large.
    external: ['*.woff2'],
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const files: Record<string, string> = {}
  const binaryFiles = { ...(await readIcons()), ...(await readFonts()) }
  let script = ''
  let style = ''
  for (const output of built.outputs) {
    const name = basename(output.path)
    if (!IS_TEXT.test(name)) {
      binaryFiles[name] = Buffer.from(await output.arrayBuffer()).toString('base64')
      continue
    }
    files[name] = await output.text()
    if (output.kind === 'entry-point') script = name
    else if (output.type.startsWith('text/css')) style = name
  }
  return { script, style, files, binaryFiles, serviceWorker: await buildServiceWorker(script, Object.keys(files)) }
}

const readBase64 = async (path: string) => Buffer.from(await Bun.file(path).arrayBuffer()).toString('base64')

async function readIcons(): Promise<Record<string, string>> {
  const folder = join(import.meta.dir, 'icons')
  const names = await Array.fromAsync(new Glob('*.png').scan(folder))
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await readBase64(join(folder, name))])))
}

/** The scripts of the dashboard's languages, without Korean, whose font would be several megabytes. */
const FONT_SUBSETS = ['latin', 'latin-ext', 'vietnamese']

async function readFonts(): Promise<Record<string, string>> {
  const folder = join(import.meta.dir, '../node_modules/@fontsource-variable/inter/files')
  const contents = FONT_SUBSETS.map(async (subset) => {
    return [`inter-${subset}.woff2`, await readBase64(join(folder, `inter-${subset}-wght-normal.woff2`))] as const
  })
  return Object.fromEntries(await Promise.all(contents))
}

/** Different for every build, so that browsers notice a new one. */
export async function buildServiceWorker(script: string, names: readonly string[]): Promise<string> {
  const files = names.map((name) => `/dashboard/${name}`).sort()
  const built = await Bun.build({
    entrypoints: [join(import.meta.dir, 'service-worker.ts')],
    target: 'browser',
    format: 'iife',
    minify: true,
    define: {
      BUILD: JSON.stringify(Bun.hash.wyhash(files.join()).toString(36)),
      FILES: JSON.stringify(files),
      SCRIPT: JSON.stringify(script),
    },
  })
  return (await built.outputs[0]?.text()) ?? ''
}
