import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildWheel } from './wheel.ts'

const CLIENT = join(import.meta.dir, '../client')

/** Builds the npm package of the generated TypeScript client into a folder; returns the name of the file. */
export async function buildNpmPackage(folder: string): Promise<string> {
  const pack = Bun.spawn(['npm', 'pack', '--json', '--pack-destination', folder], { cwd: CLIENT, stderr: 'pipe' })
  const [packed, log, code] = await Promise.all([
    new Response(pack.stdout).text(),
    new Response(pack.stderr).text(),
    pack.exited,
  ])
  if (code !== 0) throw new Error(`npm pack ended with ${code}:\n${log}`)
  return JSON.parse(packed.slice(packed.indexOf('[')))[0].filename
}

/** Builds the wheel of the generated Python client into a folder; returns the name of the file. */
export function buildPythonWheel(folder: string): string {
  const root = join(CLIENT, 'python')
  const read = (name: string) => readFileSync(join(root, name), 'utf8')
  const { project, tool } = Bun.TOML.parse(read('pyproject.toml')) as PyProject
  const modules = tool.setuptools.packages.flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => /\.(py|typed)$/.test(name))
      .sort()
      .map((name) => ({ name: `${folder}/${name}`, text: read(`${folder}/${name}`) })),
  )
  const wheel = buildWheel(
    {
      name: project.name,
      version: project.version,
      summary: project.description,
      license: project.license.text,
      requiresPython: project['requires-python'],
      dependencies: project.dependencies,
      readme: read(project.readme),
    },
    modules,
  )
  writeFileSync(join(folder, wheel.name), wheel.bytes)
  return wheel.name
}

type PyProject = {
  readonly project: {
    readonly name: string
    readonly version: string
    readonly description: string
    readonly readme: string
    readonly license: { readonly text: string }
    readonly 'requires-python': string
    readonly dependencies: readonly string[]
  }
  readonly tool: { readonly setuptools: { readonly packages: readonly string[] } }
}
