import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newDataDir, runInProcess, type runProgram } from './program.ts'

type Figures = Record<string, number> & {
  rejected_by: Record<string, number>
  remarks: Record<string, number>
  report: string
}

export function newFile(name: string, content: string | Uint8Array): string {
  const path = join(newDataDir(), name)
  writeFileSync(path, content)
  return path
}

export async function imported(
  args: string[],
  environment: Record<string, string>,
  run: typeof runProgram = runInProcess,
): Promise<Figures> {
  const ran = await run(['import', ...args, '--json'], environment)
  if (ran.code !== 0) throw new Error(ran.stderr)
  return JSON.parse(ran.stdout)
}

/** A plain table: model numbers and build names of devices, and a column that is an attribute of each variant. */
export const MODELS = [
  'make,device,model_identifiers,device_model_numbers,model',
  'Samsung,Galaxy Test S,tests,SM-T001B,SM-T001B',
  'samsung,Galaxy Test S,testq,SM-T001U,SM-T001U',
  'Redmi,Note Test,tulip,2201TEST,2201TEST',
  ',,FJL21,FJL21,FJL21',
].join('\r\n')

const OWN = [
  'make;device;category;released;storage;color;list_cents',
  'Fairphone;Fairphone Test;Smartphone;2023-08;128GB;Black;59900',
  'Fairphone;Fairphone Test;Smartphone;2023-08;256GB;"Black; matt";64900',
  'Fairphone;=Odd name;Tablet;;;;',
  'Fairphone;Broken;Tablet;soon;64GB;;1',
].join('\n')

/** Exports a registry, imports it into another one and expects the same export from both. */
export function testRoundTrip(format: 'json' | 'csv', newRegistry: () => Record<string, string>): void {
  test(`an export as ${format} imports to the same registry`, async () => {
    const first = newRegistry()
    await imported(['catalogue', newFile('models.csv', MODELS)], first)
    expect(await imported(['catalogue', newFile('own.csv', OWN)], first)).toMatchObject({
      rows: 4,
      devices_new: 2,
      variants_new: 2,
      rejected_by: { release_date_invalid: 1 },
    })
    const path = join(newDataDir(), `catalogue.${format}`)
    expect((await runInProcess(['export', 'catalogue', path], first)).code).toBe(0)
    expect(await imported(['catalogue', path], first)).toMatchObject({ devices_new: 0, devices_changed: 0 })

    const second = newRegistry()
    expect(await imported(['catalogue', path], second)).toMatchObject({ devices_new: 4, rejected: 0 })
    const [before, after] = await Promise.all([first, second].map((one) => runInProcess(['export', 'catalogue'], one)))
    expect(after?.stdout).toBe(before?.stdout as string)
    expect(before?.stdout).toContain(
      '"attributes":[{"name":"storage","value":"256GB"},{"name":"color","value":"Black; matt"}]',
    )
  })
}
