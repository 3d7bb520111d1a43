import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { SourcedDevice } from '../import/catalogue/merge-device.ts'
import { formatOwnCsvLines, OWN_CSV_COLUMNS } from '../import/catalogue/own-csv.ts'
import { CATALOGUE_FORMAT, toOwnFormat } from '../import/catalogue/own-format.ts'
import { streamDevices } from '../import/catalogue/registry-store.ts'
import { formatCsvLine } from '../lib/csv-writer.ts'
import { choice, command, optional, text } from './command.ts'
import { CommandError } from './command-error.ts'

export const exportCommand = command({
  name: 'export',
  help: 'Write the whole device catalogue to FILE, or to stdout. The result can be imported again.',
  arguments: { subject: choice(['catalogue']), file: optional(text('FILE')) },
  options: { format: optional(choice(['json', 'csv'])) },
  async run({ file, format: wanted }, context) {
    const format = wanted ?? (file?.toLowerCase().endsWith('.csv') ? 'csv' : 'json')
    const db = await context.openExistingDatabase()
    let count = 0
    async function* countDevices(devices: AsyncIterable<SourcedDevice>) {
      for await (const device of devices) {
        count++
        yield device
      }
    }
    const devices = countDevices(streamDevices(db))
    const lines = format === 'csv' ? csvLines(devices) : jsonLines(devices)
    if (file) await writeFile(file, lines)
    else for await (const line of lines) await context.write(line)
    context.report(`${count.toLocaleString('en')} devices written.`)
  },
})

/** One device per line, so that two exports can be compared and none has to fit in memory. */
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

/** Written under another name first, so that an incomplete export is never taken for a complete one. */
async function writeFile(file: string, lines: AsyncIterable<string>): Promise<void> {
  const part = `${file}.part`
  try {
    await pipeline(lines, createWriteStream(part))
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    const code = (error as NodeJS.ErrnoException).code
    throw code ? new CommandError(`Cannot write ${file} (${code}).`, 1, error) : error
  }
}
