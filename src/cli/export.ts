import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { SourcedDevice } from '../import/catalogue/merge-device.ts'
import { formatOwnCsvLines, OWN_CSV_COLUMNS } from '../import/catalogue/own-csv.ts'
import { CATALOGUE_FORMAT, toOwnFormat } from '../import/catalogue/own-format.ts'
import { streamDevices } from '../import/catalogue/registry-store.ts'
import { formatCsvLine } from '../lib/csv-writer.ts'
import { type Command, parseArguments } from './command.ts'
import { CommandError } from './command-error.ts'

const USAGE = 'export catalogue [FILE] [--format json|csv]'

export const exportCommand: Command = {
  name: 'export',
  usage: 'catalogue [FILE] [--format json|csv]',
  help: 'Write the whole registry as a file that imports to the same registry; to stdout when no FILE is given.',
  async run(args, context) {
    const { values, positionals } = parseArguments(
      args,
      { format: { type: 'string' } },
      { least: 1, most: 2, usage: USAGE },
    )
    const [what, file] = positionals
    if (what !== 'catalogue') throw new CommandError(`Only the catalogue can be exported. Usage: ${USAGE}`, 2)
    const format = values.format ?? (file?.toLowerCase().endsWith('.csv') ? 'csv' : 'json')
    if (format !== 'json' && format !== 'csv') throw new CommandError(`--format is json or csv. Usage: ${USAGE}`, 2)
    const db = await context.openExistingDatabase()
    let count = 0
    async function* counted(devices: AsyncIterable<SourcedDevice>) {
      for await (const device of devices) {
        count++
        yield device
      }
    }
    const devices = counted(streamDevices(db))
    const lines = format === 'csv' ? csvLines(devices) : jsonLines(devices)
    if (file) await writeFile(file, lines)
    else for await (const line of lines) await context.write(line)
    context.report(`${count.toLocaleString('en')} devices written.`)
    return 0
  },
}

/** One device a line, so that two exports can be compared and none has to fit in memory. */
async function* jsonLines(devices: AsyncIterable<SourcedDevice>): AsyncGenerator<string> {
  yield `{"format":"${CATALOGUE_FORMAT}","devices":[`
  let separator = '\n'
  for await (const device of devices) {
    yield `${separator}${JSON.stringify(toOwnFormat(device))}`
    separator = ',\n'
  }
  yield '\n]}\n'
}

async function* csvLines(devices: AsyncIterable<SourcedDevice>): AsyncGenerator<string> {
  yield formatCsvLine(OWN_CSV_COLUMNS)
  for await (const device of devices) yield [...formatOwnCsvLines(device)].join('')
}

/** Under another name until it is whole: half an export must never be taken for one. */
async function writeFile(file: string, lines: AsyncIterable<string>): Promise<void> {
  const part = `${file}.part`
  try {
    await pipeline(lines, createWriteStream(part))
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    const code = (error as NodeJS.ErrnoException).code
    throw code ? new CommandError(`${file} cannot be written (${code}).`, 1, error) : error
  }
}
