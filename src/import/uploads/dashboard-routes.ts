import { readFile } from 'node:fs/promises'
import {
  CHUNK_BYTES,
  UPLOAD_OPTIONS_BY_FORMAT,
  type UploadFormat,
  type UploadPageWire,
  type UploadWire,
} from '../../contract/uploads.ts'
import { ApiError } from '../../http/api-error.ts'
import { readBinaryBody } from '../../http/binary-body.ts'
import { conflict, invalid, notFound, unknownId } from '../../lib/errors.ts'
import { isoInstant } from '../../lib/time.ts'
import { type DashboardDependencies, isOperator } from '../../people/dashboard-dependencies.ts'
import { type DashboardRoute, dashboardRoute, type SessionContext } from '../../people/session-route.ts'
import { COUNTRY_MARKETS } from '../../pricing/country-market.ts'
import { reportPath } from '../dashboard-routes.ts'
import { presentImportRun } from '../present-import.ts'
import type { Upload } from './upload-store.ts'

const MEGABYTE = 1024 * 1024

const REPLACED_MESSAGE = 'Another file was chosen in its place.'

/** Uploads by owners of the organization that runs the service; their lists apply to all organizations. */
export function uploadDashboardRoutes(parts: DashboardDependencies): DashboardRoute[] {
  const { auth: access, uploads, uploadLimitBytes: maxBytes } = parts
  const { store, folder } = uploads

  const canUpload = async (c: SessionContext<'owner'>) => maxBytes > 0 && (await isOperator(parts, c))

  async function requireUploader(c: SessionContext<'owner'>): Promise<string> {
    if (!(await canUpload(c))) {
      throw new ApiError('FORBIDDEN', 'Lists are imported by the organization that runs this service.')
    }
    return c.get('organization').id
  }

  async function present(upload: Upload): Promise<UploadWire> {
    const hasFile = upload.state !== 'ended'
    const run = upload.runId === null ? undefined : await parts.findImport(upload.runId)
    return {
      id: upload.id,
      format: upload.format as UploadFormat,
      file: upload.file,
      bytes: upload.bytes,
      received: hasFile ? await folder.sizeOf(upload.id) : upload.bytes,
      state: upload.state,
      by: upload.ownerLabel,
      created_at: isoInstant(upload.createdAt),
      options: { ...upload.options },
      preview: upload.preview,
      progress: {
        rows: upload.rowsRead,
        percent: upload.percent,
        note: upload.isStopRequested ? 'It is being stopped.' : upload.note,
      },
      failure: run?.failure ?? upload.failure,
      run: run ? presentImportRun(run, true) : null,
    }
  }

  const tooLarge = () =>
    new ApiError('PAYLOAD_TOO_LARGE', `A list may have ${maxBytes / MEGABYTE} MB at most.`, {
      headers: { Connection: 'close' },
    })

  return [
    dashboardRoute('GET /account/uploads', async (c) => {
      const { id } = c.get('organization')
      const allowed = await canUpload(c)
      const newest = allowed ? await store.newestOf(id, c.get('principal').id) : undefined
      const profiles = allowed ? await uploads.profiles() : []
      const data: UploadPageWire = {
        allowed,
        most_bytes: maxBytes,
        piece_bytes: CHUNK_BYTES,
        current: newest ? await present(newest) : null,
        profiles: profiles.map(({ name, options }) => ({ name, options: { ...options } })),
        currencies: [...parts.appraisal.rates.currencies()],
        default_market: (await access.organizationMarket(id)) ?? parts.appraisal.serviceMarket(),
        markets: COUNTRY_MARKETS.map(({ code, name }) => ({ code, name })),
      }
      return { data }
    }),

    dashboardRoute('GET /account/uploads/one', async (c, { id }) => {
      const organizationId = await requireUploader(c)
      return { data: await present(await store.read(organizationId, id)) }
    }),

    dashboardRoute('POST /account/uploads', async (c, { format, file, bytes }) => {
      const organizationId = await requireUploader(c)
      if (bytes > maxBytes) throw tooLarge()
      const { id: ownerId, actor } = c.get('principal')
      const previous = await store.newestOf(organizationId, ownerId)
      if (previous && (previous.state === 'receiving' || previous.state === 'checked')) {
        await store.end(previous.id, REPLACED_MESSAGE)
        await folder.remove(previous.id)
      }
      const list = { format, file: sanitizeFileName(file), bytes }
      return { data: await present(await store.begin({ organizationId, ownerId, actor }, list, c.get('facts').now)) }
    }),

    dashboardRoute('POST /account/uploads/piece', async (c, { id, at, content }) => {
      const organizationId = await requireUploader(c)
      const upload = await store.read(organizationId, id)
      if (upload.ownerId !== c.get('principal').id) throw unknownId('upload', upload.id)
      if (upload.state !== 'receiving') throw conflict('upload', 'This upload takes no more bytes.')
      const add = (pieces: AsyncIterable<Uint8Array>) =>
        folder.add(upload.id, at, pieces, Math.min(upload.bytes, at + CHUNK_BYTES))
      const received = await (content === undefined
        ? readBinaryBody(c.req.raw, add)
        : add(toAsync(Buffer.from(content, 'base64'))))
      if (received === 'too large') {
        throw new ApiError('PAYLOAD_TOO_LARGE', 'There is more in this piece than was said.', {
          headers: { Connection: 'close' },
        })
      }
      return { data: { received } }
    }),

    dashboardRoute('POST /account/uploads/check', async (c, { id, options }) => {
      const organizationId = await requireUploader(c)
      const upload = await store.read(organizationId, id)
      const allowedOptions: readonly string[] = UPLOAD_OPTIONS_BY_FORMAT[upload.format as UploadFormat]
      const unknown = Object.keys(options).find((name) => !allowedOptions.includes(name))
      if (unknown !== undefined) {
        throw invalid(
          'options',
          unknown,
          allowedOptions.length > 0 ? `among ${allowedOptions.join(', ')}` : 'none for this kind of list',
        )
      }
      if ((await folder.sizeOf(id)) !== upload.bytes) {
        throw conflict('upload', 'The upload is incomplete. Choose the file again.')
      }
      const { now } = c.get('facts')
      await store.settleAbandoned(now)
      uploads.start('check', id, await store.beginCheck(upload, options, now))
      return { data: await present(await store.read(organizationId, id)) }
    }),

    dashboardRoute('POST /account/uploads/run', async (c, { id }) => {
      const organizationId = await requireUploader(c)
      const { now } = c.get('facts')
      const upload = await store.read(organizationId, id)
      await store.settleAbandoned(now)
      uploads.start('run', id, await store.beginRun(upload, c.get('principal').actor, now))
      return { data: await present(await store.read(organizationId, id)) }
    }),

    dashboardRoute('POST /account/imports/retry', async (c, { id: runId }) => {
      const organizationId = await requireUploader(c)
      const run = await parts.findImport(runId)
      const path = run && reportPath(parts.reportsFolder, run)
      const report = path ? await readFile(path).catch(() => undefined) : undefined
      if (!run || !report) throw notFound('A list of rejected rows of this import')
      const { id: ownerId, actor } = c.get('principal')
      const { now } = c.get('facts')
      // The source of rows without one is the name of the file, so the rows keep that of the first import.
      const file = { format: run.format as UploadFormat, file: sanitizeFileName(run.file), bytes: report.byteLength }
      const upload = await store.begin({ organizationId, ownerId, actor }, file, now)
      await folder.add(upload.id, 0, toAsync(report), report.byteLength)
      await store.settleAbandoned(now)
      uploads.start('check', upload.id, await store.beginCheck(upload, await store.optionsOfRun(runId), now))
      return { data: await present(await store.read(organizationId, upload.id)) }
    }),

    dashboardRoute('POST /account/uploads/stop', async (c, { id }) => {
      const upload = await store.read(await requireUploader(c), id)
      await store.requestStop(upload.id)
    }),

    dashboardRoute('POST /account/uploads/discard', async (c, { id }) => {
      const upload = await store.read(await requireUploader(c), id)
      if (upload.state === 'checking' || upload.state === 'running')
        throw conflict('upload', 'This upload is being read. Stop it first.')
      if (upload.state !== 'ended') await store.end(id, null)
      await folder.remove(id)
    }),
  ]
}

async function* toAsync(bytes: Uint8Array) {
  yield bytes
}

/** The file name without folders and invisible characters. */
function sanitizeFileName(file: string): string {
  const name = file.split(/[/\\]/).at(-1) ?? ''
  return (
    name
      .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
      .trim()
      .slice(0, 120) || 'upload'
  )
}
