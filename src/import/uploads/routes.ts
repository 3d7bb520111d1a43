import {
  changeUpload,
  createUpload,
  discardUpload,
  getUpload,
  getUploads,
  sendUploadPart,
} from '../../contract/management-imports.ts'
import { DONE } from '../../contract/management-shared.ts'
import { PART_BYTES, type UploadFormat, type UploadPageWire, type UploadWire } from '../../contract/uploads.ts'
import { type ApiContext, type ApiRoute, route } from '../../http/context.ts'
import { presentFailure } from '../../lib/failure.ts'
import { isoInstant } from '../../lib/time.ts'
import { COUNTRY_MARKETS } from '../../pricing/country-market.ts'
import { presentImportRun } from '../present-import.ts'
import type { UploadOwner, UploadService } from './upload-service.ts'
import type { Upload } from './upload-store.ts'

export type UploadDependencies = {
  readonly uploads: UploadService
  /** Currencies with an exchange rate. */
  readonly currencies: () => readonly string[]
  /** Market of an organization's prices that name no country. */
  readonly defaultMarket: (organizationId: string) => Promise<string>
}

/** Uploads of lists, which apply to all organizations. */
export function uploadRoutes({ uploads, currencies, defaultMarket }: UploadDependencies): ApiRoute[] {
  async function present(upload: Upload): Promise<UploadWire> {
    const run = await uploads.findRun(upload)
    return {
      id: upload.id,
      format: upload.format as UploadFormat,
      file: upload.file,
      bytes: upload.bytes,
      received: await uploads.receivedBytes(upload),
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
      ...presentFailure(run?.failure ?? upload.failure),
      run: run ? presentImportRun(run, true) : null,
    }
  }

  return [
    route(getUploads, async (c) => {
      const owner = ownerOf(c)
      const [newest, profiles, market] = await Promise.all([
        uploads.store.newestOf(owner.organizationId, owner.ownerId),
        uploads.profiles(),
        defaultMarket(owner.organizationId),
      ])
      const data: UploadPageWire = {
        max_bytes: uploads.maxBytes,
        part_bytes: PART_BYTES,
        current: newest ? await present(newest) : null,
        profiles: profiles.map(({ name, options }) => ({ name, options: { ...options } })),
        currencies: [...currencies()],
        default_market: market,
        markets: COUNTRY_MARKETS.map(({ code, name }) => ({ code, name })),
      }
      return { data }
    }),
    route(createUpload, async (c) => {
      const body = c.get('body')
      const { now } = c.get('facts')
      const upload =
        'rejected_rows_of' in body
          ? await uploads.retryImport(ownerOf(c), body.rejected_rows_of, now)
          : await uploads.begin(ownerOf(c), body, now)
      return { data: await present(upload) }
    }),
    route(getUpload, async (c) => {
      return { data: await present(await uploads.store.read(ownerOf(c).organizationId, c.get('params').id)) }
    }),
    route(sendUploadPart, async (c) => {
      const { at, content } = c.get('body')
      const part = Buffer.from(content, 'base64')
      return { data: { received: await uploads.addPart(ownerOf(c), c.get('params').id, at, part) } }
    }),
    route(changeUpload, async (c) => {
      const owner = ownerOf(c)
      const { id } = c.get('params')
      const { now } = c.get('facts')
      const body = c.get('body')
      if (body.action === 'check') return { data: await present(await uploads.check(owner, id, body.options, now)) }
      if (body.action === 'run') return { data: await present(await uploads.run(owner, id, now)) }
      await uploads.stop(owner, id, now)
      return { data: await present(await uploads.store.read(owner.organizationId, id)) }
    }),
    route(discardUpload, async (c) => {
      await uploads.discard(ownerOf(c), c.get('params').id)
      return { data: DONE }
    }),
  ]
}

function ownerOf(c: ApiContext): UploadOwner {
  const { organizationId, id, actor } = c.get('principal')
  return { organizationId, ownerId: id, actor }
}
