import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { UploadFormat, UploadPageWire, UploadWire } from '../../../src/contract/uploads.ts'
import { callApi } from '../../api.ts'
import { failureText } from '../../error-text.ts'
import { queryClient, useApiMutation } from '../../queries.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/field.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { Card } from '../../ui/page.tsx'
import { ErrorMessage } from '../../ui/states.tsx'
import { uploadInChunks } from './chunked-upload.ts'
import { formatBytes, listKind, UPLOAD_FORMATS } from './upload-labels.ts'
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
  const { t } = useTranslation('imports')
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
        const upload = await uploadInChunks(file, format, uploads.part_bytes, tell, stopping.signal)
        const known = uploads.profiles.find((candidate) => candidate.name === profile)
        const options = known && format === 'observations' ? withOption(known.options, 'profile', known.name) : {}
        await callApi('PATCH /api/manage/uploads/{id}', {
          params: { id: upload.id },
          body: { action: 'check', options },
        })
      } catch (error) {
        if (!stopping.signal.aborted) throw error
      } finally {
        setSending(undefined)
        await queryClient.invalidateQueries({ queryKey: ['GET /api/manage/uploads'] })
      }
    })
  }
  if (sending) {
    return (
      <Card title={t('upload.sending', { file: sending.name })}>
        <div className="list-progress">
          <progress max={sending.bytes} value={sending.sent} aria-label={t('upload.bytesSent')} />
          <span role="status">
            {t('upload.sent', { sent: formatBytes(sending.sent), total: formatBytes(sending.bytes) })}
          </span>
          <Button onClick={() => stop.current?.abort()}>{t('action.cancel')}</Button>
        </div>
      </Card>
    )
  }
  return (
    <Card title={t('upload.title')} note={t('upload.note')}>
      {lost?.failure ? (
        <p className="doubt">
          {lost.file}: {failureText(lost.failure, lost.failure_reason)}
        </p>
      ) : null}
      <div className="upload-kind">
        <SelectField
          label={t('column.type')}
          hint={t(`looks.${format}`)}
          value={format}
          options={UPLOAD_FORMATS.map((format) => [format, listKind(format)] as const)}
          onValueChange={setFormat}
        />
        {format === 'observations' && uploads.profiles.length > 0 ? (
          <SelectField
            label={t('upload.savedOptions')}
            hint={t('upload.savedHint')}
            value={profile}
            options={[['', t('upload.none')], ...uploads.profiles.map(({ name }) => name)]}
            onValueChange={setProfile}
          />
        ) : null}
      </div>
      <FileDrop title={t('upload.drop')} take={take}>
        {t('upload.limits', { size: formatBytes(uploads.max_bytes) })}
      </FileDrop>
      <ErrorMessage error={change.error} />
    </Card>
  )
}
