import { basename } from 'node:path'
import type { DeviceIntelligence, PricePreview, Upload } from '../../client/src/index.ts'
import { PART_BYTES, UPLOAD_OPTIONS_BY_FORMAT, type UploadFormat } from '../contract/uploads.ts'
import { formatTextTable } from '../lib/text-table.ts'
import { CommandError } from './command-error.ts'

const FIRST_PAUSE_MS = 300
const MAX_PAUSE_MS = 5_000

export type RemoteImport = {
  readonly format: string
  readonly file: string
  readonly options: Readonly<Record<string, string>>
  readonly dryRun: boolean
  readonly signal: AbortSignal
}

/** Uploads a file to a running service, checks it there and, unless it is a dry run, imports it. */
export async function importOnService(client: DeviceIntelligence, order: RemoteImport): Promise<Upload> {
  const { format, file, options, dryRun, signal } = order
  if (!isUploadFormat(format)) {
    const formats = Object.keys(UPLOAD_OPTIONS_BY_FORMAT).join(', ')
    throw new CommandError(`A running service imports ${formats}; import ${format} on its machine.`, 2)
  }
  const content = await readContent(file)
  const { id } = await client.createUpload({}, { format, file: basename(file), bytes: content.size })
  for (let at = 0; at < content.size; at += PART_BYTES) {
    const part = Buffer.from(await content.slice(at, at + PART_BYTES).arrayBuffer())
    await client.sendUploadPart(id, {}, { at, content: part.toString('base64') })
  }
  await client.checkUpload(id, {}, { options })
  const checked = requireSuccess(await waitWhile(client, id, 'checking', signal))
  if (dryRun) {
    await client.discardUpload(id)
    return checked
  }
  await client.runUpload(id)
  const ended = requireSuccess(await waitWhile(client, id, 'running', signal))
  return { ...ended, preview: checked.preview }
}

const isUploadFormat = (format: string): format is UploadFormat => Object.hasOwn(UPLOAD_OPTIONS_BY_FORMAT, format)

async function readContent(file: string): Promise<Blob> {
  if (file === '-') return new Blob([await Bun.stdin.bytes()])
  const content = Bun.file(file)
  if (!(await content.exists())) throw new CommandError(`There is no file ${file}.`)
  return content
}

function requireSuccess(upload: Upload): Upload {
  const failure = upload.failure ?? upload.run?.failure
  if (failure) throw new CommandError(failure)
  return upload
}

async function waitWhile(client: DeviceIntelligence, id: string, state: Upload['state'], signal: AbortSignal) {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, MAX_PAUSE_MS)) {
    const upload = await client.getUpload(id)
    if (upload.state !== state) return upload
    if (signal.aborted) {
      await client.stopUpload(id)
      throw new CommandError('Stopped. Rows imported until then are kept.')
    }
    await Bun.sleep(pauseMs)
  }
}

/** Columns, sample rows and the effect of a price list. */
export function formatRemotePreview({ columns, implied, rows, effect }: PricePreview): string {
  const found = columns.flatMap(({ name, field }) => (field === null ? [] : [[name, field]]))
  const more = Object.entries(implied).map(([name, value]) => ['(name of the price column)', `${name} ${value}`])
  const samples = rows.map(({ line, raw, parsed, problem }) => [
    String(line),
    raw,
    parsed
      ? `${parsed.variant_id ?? `${parsed.device_id} ${parsed.configuration}`}, ${parsed.grade}, ${parsed.side} $${(parsed.cents / 100).toFixed(2)}, ${parsed.day}`
      : `rejected: ${problem ?? ''}`,
  ])
  return [
    formatTextTable(['COLUMN', 'FIELD'], [...found, ...more]),
    '',
    formatTextTable(['LINE', 'ORIGINAL', 'RESULT'], samples),
    ...(effect ? ['', effect.text] : []),
  ].join('\n')
}
