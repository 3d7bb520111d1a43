import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import { CommandError } from '../errors.ts'
import type { KnownDevice } from '../import/catalogue/merge.ts'
import { CATALOGUE_FORMAT, OWN_COLUMNS, ownCsvLines, presentOwn } from '../import/catalogue/own-format.ts'
import { readDevices } from '../import/catalogue/registry-store.ts'
import { csvLine } from '../text/csv-line.ts'
import { type Command, readArguments } from './command.ts'

const USAGE = 'export catalogue [FILE] [--format json|csv]'

export const exportCommand: Command = {
  name: 'export',
  usage: 'catalogue [FILE] [--format json|csv]',
  help: 'Write the whole registry as a file that imports to the same registry; to stdout when no FILE is given.',
  async run(args, context) {
    const { values, positionals } = readArguments(
      args,
      { format: { type: 'string' } },
      { least: 1, most: 2, usage: USAGE },
    )
    const [what, file] = positionals
    if (what !== 'catalogue') throw new CommandError(`Only the catalogue can be exported. Usage: ${USAGE}`, 2)
    const format = values.format ?? (file?.toLowerCase().endsWith('.csv') ? 'csv' : 'json')
    if (format !== 'json' && format !== 'csv') throw new CommandError(`--format is json or csv. Usage: ${USAGE}`, 2)
    const db = await context.openStore()
    const devices = readDevices(db)
    const lines = format === 'csv' ? csvLines(devices) : jsonLines(devices)
    const count = file ? await writeFile(file, lines) : await writeStdout(lines)
    context.tell(`${count.toLocaleString('en')} devices written.`)
    return 0
  },
}

/** One device a line, so that two exports can be compared and none has to fit in memory. */
async function* jsonLines(devices: AsyncIterable<KnownDevice>): AsyncGenerator<{ text: string; devices: number }> {
  yield { text: `{"format":"${CATALOGUE_FORMAT}","devices":[`, devices: 0 }
  let separator = '\n'
  for await (const device of devices) {
    yield { text: `${separator}${JSON.stringify(presentOwn(device))}`, devices: 1 }
    separator = ',\n'
  }
  yield { text: '\n]}\n', devices: 0 }
}

async function* csvLines(devices: AsyncIterable<KnownDevice>): AsyncGenerator<{ text: string; devices: number }> {
  yield { text: csvLine(OWN_COLUMNS), devices: 0 }
  for await (const device of devices) yield { text: [...ownCsvLines(device)].join(''), devices: 1 }
}

type Lines = AsyncIterable<{ text: string; devices: number }>

/** Under another name until it is whole: half an export must never be taken for one. */
async function writeFile(file: string, lines: Lines): Promise<number> {
  const part = `${file}.part`
  try {
    const out = createWriteStream(part)
    const opened = finished(out)
    opened.catch(() => {})
    const count = await pour(lines, out)
    out.end()
    await opened
    await rename(part, file)
    return count
  } catch (error) {
    await rm(part, { force: true })
    const code = (error as NodeJS.ErrnoException).code
    throw code ? new CommandError(`${file} cannot be written (${code}).`, 1, error) : error
  }
}

async function writeStdout(lines: Lines): Promise<number> {
  return pour(lines, process.stdout)
}

async function pour(lines: Lines, out: NodeJS.WritableStream): Promise<number> {
  let count = 0
  for await (const { text, devices } of lines) {
    count += devices
    if (!out.write(text)) await new Promise<void>((resolve) => out.once('drain', resolve))
  }
  return count
}
