import { useRef, useState } from 'react'
import type { UploadFormat, UploadPageWire, UploadWire } from '../../../src/contract/uploads.ts'
import { apiPost } from '../../api.ts'
import { queryClient, useApiMutation } from '../../queries.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { ErrorMessage } from '../../ui/states.tsx'
import { uploadInChunks } from './chunked-upload.ts'
import { formatBytes, LIST_KIND_LABELS, UPLOAD_FORMAT_CHOICES } from './upload-labels.ts'
import { withOption } from './upload-options.ts'

type Sending = { readonly name: string; readonly bytes: number; readonly sent: number }

export function UploadForm({
  uploads,
  lost,
}: {
  uploads: UploadPageWire
  /** An upload that ended without an import. */
  lost: UploadWire | null
}) {
  const [format, setFormat] = useState<UploadFormat>('observations')
  const [profile, setProfile] = useState('')
  const [sending, setSending] = useState<Sending>()
  const stop = useRef<AbortController>(undefined)
  const change = useApiMutation()

  const take = (file: File | undefined) => {
    if (!file || sending) return
    change.mutate(async () => {
      const stopping = new AbortController()
      stop.current = stopping
      const { name, size: bytes } = file
      setSending({ name, bytes, sent: 0 })
      try {
        const tell = (sent: number) => setSending({ name, bytes, sent })
        const upload = await uploadInChunks(file, format, uploads.piece_bytes, tell, stopping.signal)
        const known = uploads.profiles.find((one) => one.name === profile)
        const options = known && format === 'observations' ? withOption(known.options, 'profile', known.name) : {}
        await apiPost<UploadWire>('/account/uploads/check', { id: upload.id, options })
      } catch (error) {
        if (!stopping.signal.aborted) throw error
      } finally {
        setSending(undefined)
        await queryClient.invalidateQueries({ queryKey: ['/account/uploads'] })
      }
    })
  }
  if (sending) {
    return (
      <Card title={`Uploading ${sending.name}`}>
        <div className="list-progress">
          <progress max={sending.bytes} value={sending.sent} aria-label="Bytes sent" />
          <span role="status">
            {formatBytes(sending.sent)} of {formatBytes(sending.bytes)}
          </span>
          <Button onClick={() => stop.current?.abort()}>Cancel</Button>
        </div>
      </Card>
    )
  }
  const looks = UPLOAD_FORMAT_CHOICES.find((one) => one.format === format)?.looks
  return (
    <Card title="Import a list" note="You can preview the file before importing it.">
      {lost?.failure ? (
        <p className="doubt">
          {lost.file}: {lost.failure}
        </p>
      ) : null}
      <div className="upload-kind">
        <Field label="Type" hint={looks}>
          {(props) => (
            <select {...props} value={format} onChange={(event) => setFormat(event.target.value as UploadFormat)}>
              {UPLOAD_FORMAT_CHOICES.map((one) => (
                <option key={one.format} value={one.format}>
                  {LIST_KIND_LABELS[one.format]}
                </option>
              ))}
            </select>
          )}
        </Field>
        {format === 'observations' && uploads.profiles.length > 0 ? (
          <Field label="Saved options" hint="Options saved from an earlier file.">
            {(props) => (
              <select {...props} value={profile} onChange={(event) => setProfile(event.target.value)}>
                <option value="">None</option>
                {uploads.profiles.map(({ name }) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            )}
          </Field>
        ) : null}
      </div>
      <FileDrop title="Drop a file here or choose one" take={take}>
        Up to {formatBytes(uploads.most_bytes)}. CSV, XLSX, JSON, also as gzip or zip.
      </FileDrop>
      {change.error ? <ErrorMessage error={change.error} /> : null}
    </Card>
  )
}
