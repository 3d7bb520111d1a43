import { useState } from 'react'
import type { UploadPreviewWire, UploadsWire, UploadWire } from '../../src/contract/uploads.ts'
import { useChange } from '../answers.ts'
import { Badge, Button, Card, Problem } from '../parts/basics.tsx'
import { post } from '../service.ts'
import { count, plural } from '../words.ts'
import { type Mapping, mapOption, mappingOf, type Options } from './form.ts'
import { ListOptions } from './list-options.tsx'
import { MappingCard } from './mapping-card.tsx'
import { Reasons, Samples, Shares, Unknown } from './preview-cards.tsx'
import { PriceOptions } from './price-options.tsx'
import { KINDS, REMEDIES, size } from './words.ts'

const NOTHING: UploadPreviewWire = {
  ...{ figures: {}, rejected_by: {}, remarks: {}, unknown: [], added: [], notes: [], prices: null },
}

/** What was found in a list before anything of it is written: looked over, corrected, checked again, imported. */
export function Review({ uploads, upload }: { uploads: UploadsWire; upload: UploadWire }) {
  const preview = upload.preview ?? NOTHING
  const { prices } = preview
  const recognised = mappingOf(prices?.columns ?? [])
  const [options, setOptions] = useState<Options>(upload.options)
  const [mapping, setMapping] = useState<Mapping>(recognised)
  const change = useChange()
  const isRemapped = Object.keys(recognised).some((column) => recognised[column] !== mapping[column])
  const isChanged = isRemapped || JSON.stringify(sorted(options)) !== JSON.stringify(sorted(upload.options))
  const taken = (preview.figures.rows ?? 0) - (preview.figures.rejected ?? 0)
  const mayImport = upload.failure === null && !isChanged && (taken > 0 || upload.format === 'lists')

  const check = () =>
    change.mutate(async () => {
      const said = isRemapped ? { ...options, map: mapOption(mapping, recognised, upload.options.map) } : options
      await post('/account/uploads/check', { id: upload.id, options: said })
    })
  const act = (what: 'run' | 'discard') =>
    change.mutate(async () => {
      await post(`/account/uploads/${what}`, { id: upload.id })
    })
  return (
    <>
      <Card
        title={
          <>
            <span className="upload-name">{upload.file}</span> <Badge>{KINDS[upload.format]}</Badge>
          </>
        }
        note={`${size(upload.bytes)}. Nothing of it is written yet.`}
      >
        {upload.failure ? (
          <p className="problem" role="alert">
            {upload.failure}
          </p>
        ) : null}
        {change.error ? <Problem error={change.error} /> : null}
        {upload.failure === null && preview.notes.length > 0 ? (
          <ul className="upload-notes">
            {preview.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        ) : null}
        {upload.failure === null ? (
          <>
            <Shares preview={preview} />
            <Remarks remarks={preview.remarks} />
          </>
        ) : null}
      </Card>
      {upload.failure === null ? <Reasons rejectedBy={preview.rejected_by} refused={prices?.refused ?? []} /> : null}
      {prices ? <MappingCard prices={prices} mapping={mapping} change={setMapping} /> : null}
      {prices ? (
        <PriceOptions
          {...{ prices, uploads, mapping, options }}
          change={setOptions}
          isOpen={upload.failure !== null || Object.keys(preview.rejected_by).some((reason) => reason in REMEDIES)}
        />
      ) : null}
      {upload.format === 'lists' ? <ListOptions options={options} change={setOptions} /> : null}
      {upload.failure === null ? (
        <>
          <Samples rows={prices?.rows ?? []} />
          <Unknown preview={preview} />
        </>
      ) : null}
      <div className="upload-bar">
        <span role="status">{isChanged ? 'Changed since it was checked.' : summaryOf(upload, taken)}</span>
        <div className="upload-actions">
          <Button disabled={change.isPending} onClick={() => act('discard')}>
            Discard
          </Button>
          {isChanged || upload.failure !== null ? (
            <Button look="main" busy={change.isPending} onClick={check}>
              Check again
            </Button>
          ) : null}
          <Button
            look={mayImport ? 'main' : 'plain'}
            busy={change.isPending}
            disabled={!mayImport}
            onClick={() => act('run')}
          >
            {upload.failure === null ? `Import ${plural(taken, 'row')}` : 'Import'}
          </Button>
        </div>
      </div>
    </>
  )
}

function summaryOf({ failure, preview }: UploadWire, taken: number): string {
  if (failure !== null) return 'It cannot be imported as it is.'
  return `${count(taken)} of ${plural(preview?.figures.rows ?? 0, 'row')} would be imported.`
}

const sorted = (options: Options) => Object.entries(options).sort(([left], [right]) => (left < right ? -1 : 1))

function Remarks({ remarks }: { remarks: UploadPreviewWire['remarks'] }) {
  const told = Object.entries(remarks)
  if (told.length === 0) return null
  return <p className="soft">{told.map(([remark, rows]) => `${count(rows)} × ${remark}`).join(' · ')}</p>
}
